import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Analysis } from '../../../engine/analysis.ts';
import { describeFailure } from '../../../words/failures.ts';
import { analyze } from '../../../engine/analyze.ts';
import { diskWorld } from '../../../recordings/disk-world.ts';
import { milliseconds } from '../../../protocol/units.ts';
import { projectFile } from '../../../test/helpers/project.ts';

/** Threshold of all figures, in ms. */
export const threshold = 10;

/** Runs a command under the built `hotspan record`, and reads the recording. The command has to succeed. */
export async function recorded(command: readonly string[], cwd: string, node = process.execPath): Promise<Analysis> {
  const out = mkdtempSync(path.join(os.tmpdir(), 'hotspan-busy-'));
  const recording = path.join(out, 'recording');
  const words = [projectFile('dist/cli.cjs'), 'record', '--quiet', '--out', recording, '--', ...command];
  const env = { ...process.env, PATH: [path.dirname(node), process.env['PATH'] ?? ''].join(path.delimiter) };
  try {
    await promisify(execFile)(process.execPath, words, { cwd, env });
    const options = { thresholdUs: milliseconds(threshold), roots: [cwd], sourceMaps: false };
    const result = await analyze([recording], diskWorld, options);
    if (result.type === 'failed') throw new Error(describeFailure(result.failure));
    return result.analysis;
  } finally {
    rmSync(out, { recursive: true });
  }
}

/** The folder of an example, with everything that it needs. */
export function exampleFolder(name: string): string {
  const folder = projectFile('examples', name);
  const isInstalled = existsSync(path.join(folder, 'node_modules'));
  if (!isInstalled) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
  return folder;
}
