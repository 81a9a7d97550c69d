import path from 'node:path';
import { isTestFile } from '../../../protocol/test-files.ts';
import { fileRun } from './file-run.ts';
import type { Readers } from '../packages/readers.ts';
import { dependencyFolder, runnerCommand } from '../runners/runners.ts';
import { type Target, type TargetFound, relativeFolder } from '../target.ts';
import { homeOf, runsElsewhere } from './test-scripts.ts';
import { packageOf } from '../packages/packages.ts';

/**
 * The target for the tests of one file: those that use it (jest, vitest), or the test file itself (mocha, node:test),
 * with the options and projects of the script that runs them.
 */
export async function targetForFile(file: string, workspace: string, readers: Readers): Promise<TargetFound> {
  const name = path.basename(file);
  const text = (await readers.readText(file)) ?? '';
  const elsewhere = runsElsewhere(name, text);
  if (elsewhere !== null) return foreign(name, elsewhere);
  const isTest = isTestFile(path.relative(workspace, file).replaceAll('\\', '/'));
  const home = await homeOf(file, text, workspace, readers);
  if (home === null) return none(`${name} belongs to no package of the workspace: run it with Profile File.`);
  const { from, facts, scripts } = home;
  if (facts === null) {
    const [{ foreign: [what] } = { foreign: [] }] = scripts.foreign;
    if (what !== undefined) return { ...foreign(name, what), isForeign: false };
    return none(
      `No mocha, jest, vitest or node:test is known for ${name}: profile the whole suite, or the file itself.`,
    );
  }
  if (facts.related === null && !isTest) {
    return none(
      `${facts.runner} cannot tell which tests reach ${name}: open one of its test files, or profile the whole suite.`,
    );
  }
  const run = await fileRun({ ...home, file, isTest, facts }, readers);
  if (run.type === 'foreign') return foreign(name, run.runsIn);
  const own = await runnerCommand(facts, from, workspace, readers, run.node);
  if (own === null)
    return none(`${facts.runner} is not installed in ${from.folder}: install the package's dependencies first.`);
  return {
    type: 'found',
    target: {
      ...ofFile(file, from.folder, workspace),
      id: `${relativeFolder(file, workspace)}#tests`,
      kind: 'fileTests',
      runner: facts.runner,
      label: `Tests of ${name}`,
      command: run.script ?? [...own, ...run.args],
      env: run.env,
    },
  };
}

/**
 * The target that runs the file itself with Node; TypeScript through the package's tsx or ts-node, or with a Node that
 * strips types.
 */
export async function fileTarget(file: string, workspace: string, readers: Readers): Promise<TargetFound> {
  const from = await packageOf(file, workspace, readers);
  const folder = from?.folder ?? workspace;
  const version = await readers.nodeVersion();
  if (version === null)
    return none(
      'There is no node on the PATH: install Node.js 20 or later, or start VS Code from a terminal that finds it.',
    );
  const isModule = file.endsWith('.mts') || (from?.isModule === true && !file.endsWith('.cts'));
  const loader = await loaderFor(file, folder, workspace, isModule, version, readers);
  if (loader === null) {
    return none(
      `${path.basename(file)} is TypeScript, which Node ${version} does not run by itself: install tsx (npm i -D tsx), or use Node 22.18 or later.`,
    );
  }
  return {
    type: 'found',
    target: {
      ...ofFile(file, folder, workspace),
      id: `${relativeFolder(file, workspace)}#file`,
      kind: 'file',
      runner: null,
      label: path.basename(file),
      command: ['node', ...loader, file],
      env: {},
    },
  };
}

const none = (message: string): TargetFound => ({ type: 'none', message, isForeign: false });

function foreign(name: string, what: string): TargetFound & { readonly type: 'none' } {
  const message = `The tests of ${name} run in ${what}, and Hotspan profiles Node.js: profile another file, or an npm script that Node.js runs.`;
  return { type: 'none', message, isForeign: true };
}

function ofFile(
  file: string,
  folder: string,
  workspace: string,
): Pick<Target, 'description' | 'folder' | 'notes' | 'isOrchestrator'> {
  return { description: relativeFolder(path.dirname(file), workspace), folder, notes: [], isOrchestrator: false };
}

/** Options with which Node runs the file: none for JavaScript; null where this Node cannot run it. */
async function loaderFor(
  file: string,
  folder: string,
  workspace: string,
  isModule: boolean,
  version: string,
  readers: Readers,
): Promise<readonly string[] | null> {
  if (!/\.([cm]?ts|tsx|jsx)$/.test(file)) return [];
  if ((await dependencyFolder('tsx', folder, workspace, readers)) !== null) return ['--import', 'tsx'];
  if ((await dependencyFolder('ts-node', folder, workspace, readers)) !== null && !file.endsWith('.jsx')) {
    return isModule ? ['--loader', 'ts-node/esm'] : ['--require', 'ts-node/register'];
  }
  return stripsTypes(version) && !file.endsWith('x') ? [] : null;
}

/** Whether this version of Node strips types without a flag: since 22.18 and 23.6. */
function stripsTypes(version: string): boolean {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
}
