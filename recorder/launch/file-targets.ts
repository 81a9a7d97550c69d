import path from 'node:path';
import { testPatterns } from '../../protocol/test-files.ts';
import { relativeFolder } from './find-targets.ts';
import { packageOf } from './package-folders.ts';
import type { Package } from './package-manifest.ts';
import type { Readers } from './readers.ts';
import type { RunnerFacts } from './runners.ts';
import { argumentsOf, optionsOf } from './runner-arguments.ts';
import { dependencyFolder, runnerCommand, runners } from './runners.ts';
import { readScript } from './script-text.ts';
import type { Runner, Target, TargetFound } from './target.ts';

/**
 * The tests of one file: those that reach it (jest, vitest), or the test file itself (mocha, node:test). With the
 * options of the package's own test script where that is one plain command.
 */
export async function targetForFile(file: string, workspace: string, readers: Readers): Promise<TargetFound> {
  const name = path.basename(file);
  const from = await packageOf(file, workspace, readers);
  if (from === null) return none(`${name} belongs to no package of the workspace: run it with Profile File.`);
  const scripts = testScripts(from);
  const facts = await runnerOfFile(file, from, scripts, readers);
  if (facts === null)
    return none(
      `No mocha, jest, vitest or node:test is known for ${name}: profile the whole suite, or the file itself.`,
    );
  const isTest = isTestFile(path.relative(workspace, file).replaceAll('\\', '/'));
  if (facts.related === null && !isTest) {
    return none(
      `${facts.runner} cannot tell which tests reach ${name}: open one of its test files, or profile the whole suite.`,
    );
  }
  const own = await runnerCommand(facts, from, workspace, readers);
  if (own === null)
    return none(`${facts.runner} is not installed in ${from.folder}: install the package's dependencies first.`);
  const script = scripts.find((one) => one.runner === facts.runner && one.command !== null)?.command ?? null;
  const options = optionsOf(argumentsOf(script?.words ?? []) ?? [], facts);
  const only =
    facts.related === null
      ? [...facts.once, ...options, file]
      : [...facts.related(file), ...options, ...(facts.noCoverage ?? [])];
  return {
    type: 'found',
    target: {
      ...ofFile(file, from.folder, workspace),
      id: `${relativeFolder(file, workspace)}#tests`,
      kind: 'fileTests',
      runner: facts.runner,
      label: `Tests of ${name}`,
      command: [...own, ...only],
      env: script?.env ?? {},
    },
  };
}

/** Runs the file itself with Node; a TypeScript one through the package's tsx or ts-node, or a Node that strips types. */
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

const none = (message: string): TargetFound => ({ type: 'none', message });

function ofFile(
  file: string,
  folder: string,
  workspace: string,
): Pick<Target, 'description' | 'folder' | 'notes' | 'isOrchestrator'> {
  return { description: relativeFolder(path.dirname(file), workspace), folder, notes: [], isOrchestrator: false };
}

/** Options that make this Node run the file: none for JavaScript; null where nothing does. */
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

/** Without a flag since 22.18 and 23.6. */
function stripsTypes(version: string): boolean {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
}

function testScripts(from: Package): readonly ReturnType<typeof readScript>[] {
  const names = Object.keys(from.scripts).filter((name) => /^tests?(:|$)/.test(name));
  return names.toSorted().map((name) => readScript(from.scripts[name] ?? ''));
}

/** What the file itself imports, else the package's scripts, configurations and dependencies, in that order. */
async function runnerOfFile(
  file: string,
  from: Package,
  scripts: readonly ReturnType<typeof readScript>[],
  readers: Readers,
): Promise<RunnerFacts | null> {
  const text = (await readers.readText(file)) ?? '';
  const imported: readonly [RegExp, Runner][] = [
    [/['"]vitest['"]/, 'vitest'],
    [/['"]node:test['"]/, 'node:test'],
    [/['"]@jest\/globals['"]/, 'jest'],
    [/['"]mocha['"]/, 'mocha'],
  ];
  const wanted =
    imported.find(([pattern]) => pattern.test(text))?.[1] ?? scripts.find((one) => one.runner !== null)?.runner;
  if (wanted !== undefined && wanted !== null) return runners.find((facts) => facts.runner === wanted) ?? null;
  const isConfigured = (facts: RunnerFacts): boolean =>
    from.files.some((name) => facts.configuration.test(name)) || from.hasKey(facts.runner);
  return runners.find(isConfigured) ?? runners.find((facts) => from.dependencies.has(facts.runner)) ?? null;
}

/** By its path inside the workspace: what counts as test code, and what is called `parse-test.js` or `parse_test.js`. */
export function isTestFile(relative: string): boolean {
  return [...testPatterns, /[_-](test|spec)\.[cm]?[jt]sx?$/].some((pattern) => pattern.test(relative));
}
