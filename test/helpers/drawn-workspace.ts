import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DrawnOptions, drawnRecording } from './drawn-hotspots.ts';
import { type DrawnProfile, drawProfile } from './drawn-profile.ts';

/** Lines on which own functions were sampled, 1-based, with how often: by the function's name. */
type Ticks = Readonly<Record<string, readonly (readonly [line: number, ticks: number])[]>>;

export interface DrawnOnDisk extends DrawnOptions {
  /** Of functions in the source: a drawn profile knows no lines inside of a function. */
  readonly ticks?: Ticks;
  /** Only the profile, which says nothing of the command that ran. */
  readonly isProfileAlone?: boolean;
}

interface DrawnPlace {
  readonly name: string;
  readonly file?: string;
  readonly source?: string;
}

/**
 * Writes a drawn recording to a folder of a workspace on the disk, which stands for `/app` of the drawing. Functions that
 * a file of `src`, by default `app.ts`, has are where they stand there (`source`).
 */
export function writeDrawn(
  workspace: string,
  { name, file: sourceFile = 'app.ts', source = '' }: DrawnPlace,
  drawing: string,
  { ticks = {}, isProfileAlone = false, ...options }: DrawnOnDisk = {},
): void {
  const manifest = { cwd: workspace, startedAt: '2026-01-01T00:00:00.000Z', ...options.manifest };
  const files = drawnRecording(path.join(workspace, name), drawing, { ...options, manifest });
  for (const [file, text] of Object.entries(files)) {
    const isProfile = file.endsWith('.cpuprofile');
    if (isProfileAlone && !isProfile) continue;
    const placed = isProfile
      ? JSON.stringify(placedIn({ file: sourceFile, source }, drawProfile(drawing), ticks))
      : text;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(
      isProfileAlone ? path.join(workspace, `${name}.cpuprofile`) : file,
      placed.replaceAll('file:///app/', `${pathToFileURL(workspace).href}/`),
    );
  }
}

/** The profile with own functions where the source has them: at the `(` behind their names. */
function placedIn({ file, source }: Omit<DrawnPlace, 'name'>, profile: DrawnProfile, ticks: Ticks): DrawnProfile {
  const lines = (source ?? '').split('\n');
  const nodes = profile.nodes.map((node) => {
    const { functionName, url } = node.callFrame;
    const begin = `function ${functionName}(`;
    const lineNumber = lines.findIndex((line) => line.includes(begin));
    if (!url.endsWith(`/src/${file}`) || lineNumber < 0) return node;
    const columnNumber = (lines[lineNumber] ?? '').indexOf(begin) + begin.length - 1;
    const positionTicks = (ticks[functionName] ?? []).map(([line, count]) => ({ line, ticks: count }));
    return { ...node, callFrame: { ...node.callFrame, lineNumber, columnNumber }, positionTicks };
  });
  return { ...profile, nodes };
}
