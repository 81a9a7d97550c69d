import { readdir } from 'node:fs/promises';
import { testsSuffix } from '../../../protocol/recording.ts';
import { readPackage } from '../packages/package-manifest.ts';
import type { Readers } from '../packages/readers.ts';
import { readScript } from '../npm-scripts/script-text.ts';

/** Whether any process of the run told of a test that ran. */
export async function hasTests(recording: string): Promise<boolean> {
  const names = await readdir(recording).catch((): readonly string[] => []);
  return names.some((name) => name.endsWith(testsSuffix));
}

/** Whether a command in this folder starts a runner of tests that we know, itself or by a script of the package. */
export async function startsTests(command: readonly string[], folder: string, readers: Readers): Promise<boolean> {
  const scripts = (await readPackage(folder, readers))?.scripts ?? {};
  return readScript(command.join(' ').replaceAll('\\', '/'), scripts).runner !== null;
}
