import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isTestFile } from '../protocol/test-files.ts';
import { fileReaders } from '../recorder/launch/packages/readers.ts';
import { isAtOrBelow } from '../protocol/path-spelling.ts';
import { relativeFolder, type Target } from '../recorder/launch/target.ts';
import { data, fitting, type ToolInput } from './tools.ts';

/**
 * What `profile` runs: a script of a package.json, or a test file, below one of these folders (absolute paths); else a
 * sentence. No other command is ever taken from an agent.
 */
export async function targetToProfile(
  { script, file }: ToolInput,
  folders: readonly string[],
): Promise<Target | string> {
  if ((script === undefined) === (file === undefined)) return 'Give a script or a file, one of the two.';
  if (folders.length === 0) return 'No folder is open: ask the person to open that of the package.';
  return script === undefined ? testFile(String(file), folders) : npmScript(String(script), folders);
}

async function npmScript(script: string, folders: readonly string[]): Promise<Target | string> {
  const all = (await Promise.all(folders.map(async (root) => scriptsBelow(root, folders.length > 1)))).flat();
  const nameOf = ({ target: { label }, whole }: PackageScript): string =>
    all.filter(({ target }) => target.label === label).length === 1 ? label : whole;
  const found = all.find((one) => nameOf(one) === script || one.whole === script);
  if (found !== undefined) return found.target;
  const alike = all.filter(({ target }) => target.label === script);
  const { shown, omitted } = fitting(
    [...new Set((alike.length > 0 ? alike : all).map((one) => data(nameOf(one))))],
    MAX_SCRIPTS,
  );
  const known = shown.length === 0 ? 'none' : [...shown, ...(omitted === 0 ? [] : [`${omitted} more`])].join(', ');
  return alike.length > 0
    ? `Several packages have the script "${data(script)}": give one of ${known}.`
    : `No package.json here has the script "${data(script)}": there is ${known}.`;
}

interface PackageScript {
  readonly target: Target;
  /** `packages/api#test`; `test` of the package at the root. */
  readonly whole: string;
}

/** `isOneOfSeveral`: the names of its scripts begin with that of the root. */
async function scriptsBelow(root: string, isOneOfSeveral: boolean): Promise<readonly PackageScript[]> {
  const { scriptTargets } = await import('../recorder/launch/targets/script-targets.ts');
  const found = await scriptTargets(root, fileReaders(process.env));
  const all = found.type === 'found' ? found.targets : [];
  const below = await Promise.all(all.map(async ({ folder }) => isBelow(folder, root)));
  return all
    .filter((_, index) => below[index])
    .map((target) => {
      const { folder, label } = target;
      const where = isOneOfSeveral ? relativeFolder(folder, path.dirname(root)) : relativeFolder(folder, root);
      return { target, whole: where === '.' ? label : `${where}#${label}` };
    });
}

const MAX_SCRIPTS = 20;

async function testFile(file: string, folders: readonly string[]): Promise<Target | string> {
  for (const folder of folders) {
    const whole = path.resolve(folder, file);
    const isTest = isTestFile(path.relative(folder, whole).replaceAll('\\', '/'));
    if (!isTest || !/\.[cm]?[jt]sx?$/.test(file) || !(await isBelow(whole, folder))) continue;
    const { testsOrFile } = await import('../recorder/launch/targets/file-targets.ts');
    const found = await testsOrFile(whole, folder, fileReaders(process.env));
    return found.type === 'found' ? found.target : found.message;
  }
  return `${data(file)} is not a test file below ${folders.join(' or ')}.`;
}

/** Whether a path is there and in the folder, also where its links lead. */
async function isBelow(file: string, folder: string): Promise<boolean> {
  const [real, root] = await Promise.all([file, folder].map(async (one) => realpath(one).catch(() => null)));
  return isAtOrBelow(file, folder) && typeof real === 'string' && typeof root === 'string' && isAtOrBelow(real, root);
}
