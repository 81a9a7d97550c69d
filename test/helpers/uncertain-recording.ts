import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestLine } from '../../protocol/recording-lines.ts';
import { work } from './blocking-shop.ts';
import { drawnRecording } from './drawn-hotspots.ts';
import { drawProfile } from './drawn-profile.ts';
import { newFolder, write } from './temporary-repository.ts';

/** A program that calls `quote`, and never `rank`. */
export const uncertainProgram = { 'shop.js': `${work('quote', 60)}${work('rank', 60)}setTimeout(quote, 5);\n` };

/**
 * A recording of that program in which both were long, on nine samples each, in a test of `testFile` if one is given. It
 * ends with an idle time, and another such time is of another run.
 */
export function uncertainRecording(
  folder: string,
  command: readonly string[],
  idleMs = 2,
  testFile: string | null = null,
): string {
  const recording = path.join(newFolder(), `recording-${idleMs}`);
  const long = (name: string): string => `${`${name} `.repeat(9)}(idle)`;
  const profile = drawProfile(`ms 4 4 4 4 4 4 4 4 4 2 ${'4 '.repeat(9)}${idleMs}\n${long('quote')} ${long('rank')}`);
  const url = pathToFileURL(path.join(folder, 'shop.js')).href;
  const lines = new Map(Object.entries({ quote: 1, rank: 8 })); // Counted from 0, as V8 does.
  const nodes = profile.nodes.map(({ callFrame, ...node }) => {
    const lineNumber = lines.get(callFrame.functionName);
    const place = lineNumber === undefined ? {} : { url, lineNumber, columnNumber: 14 };
    return { ...node, callFrame: { ...callFrame, ...place } };
  });
  const manifest = { cwd: folder, command, startedAt: new Date(1767225600000 + idleMs).toISOString(), exitCode: 0 };
  const tests: readonly TestLine[] =
    testFile === null
      ? []
      : [
          ['begin', 0, 1, path.join(folder, testFile), ['sells'], 0],
          ['end', 75, 1],
        ];
  const events = { turns: '0-36 38-74', manifest, ...(testFile === null ? {} : { tests }) };
  write('/', drawnRecording(recording, { ...profile, nodes }, events));
  return recording;
}
