import path from 'node:path';
import { findPackages } from './package-folders.ts';
import type { Package } from './package-manifest.ts';
import { runScript } from './package-manifest.ts';
import type { Readers } from './readers.ts';
import type { RunnerFacts } from './runners.ts';
import { argumentsOf, plainArguments } from './runner-arguments.ts';
import { runnerCommand, runners } from './runners.ts';
import { readScript } from './script-text.ts';
import type { ScriptText } from './script-text.ts';
import type { Target, TargetsFound } from './target.ts';

/**
 * The tests of a workspace folder and of its packages: each `test` and `test:…` script, and each runner that is set up
 * without one. What runs the tests of all packages stands last.
 */
export async function findTargets(workspace: string, readers: Readers): Promise<TargetsFound> {
  const packages = await findPackages(workspace, readers);
  if (packages.length === 0) {
    return none(
      `There is no package.json in ${workspace}. Open the folder of your package, or profile a single file or command.`,
    );
  }
  const lists = await Promise.all(packages.map((one) => targetsOf(one, workspace, readers)));
  const targets = lists.flat();
  if (targets.length === 0) {
    return none(
      `No tests found in ${path.basename(workspace)}: package.json has no "test" script, and there is no mocha, jest, vitest or node:test. ` +
        'Add a "test" script, or profile a file or another npm script.',
    );
  }
  return {
    type: 'found',
    targets: [...targets.filter((one) => !one.isOrchestrator), ...targets.filter((one) => one.isOrchestrator)],
  };
}

const none = (message: string): TargetsFound => ({ type: 'none', message });

async function targetsOf(from: Package, workspace: string, readers: Readers): Promise<readonly Target[]> {
  const scripts = Object.entries(from.scripts).filter(([name, text]) => isTestScript(name, text));
  const ordered = [...scripts.filter(([name]) => name === 'test'), ...scripts.filter(([name]) => name !== 'test')];
  const byScript = await Promise.all(ordered.map(([name, text]) => scriptTarget(from, workspace, name, text, readers)));
  const covered = new Set(byScript.map((target) => target.runner));
  const others = runners.filter((facts) => !covered.has(facts.runner) && isSetUp(facts, from, byScript.length > 0));
  const byRunner = await Promise.all(others.map((facts) => bareTarget(facts, from, workspace, readers)));
  const found = [...byScript, ...byRunner.filter((target) => target !== null)];
  return found.length > 0 || !(await hasNodeTests(from, readers)) ? found : [nodeTestTarget(from, workspace)];
}

/** `npm init` writes a script that only fails. */
function isTestScript(name: string, text: string): boolean {
  return (
    /^tests?(:|$)/.test(name) &&
    !text.includes('no test specified') &&
    !/:(watch|update|debug|ui|coverage|cov)\b/.test(name)
  );
}

/** A configuration, or settings in the manifest; a dependency alone counts only where no script tests anything. */
function isSetUp(facts: RunnerFacts, from: Package, hasScripts: boolean): boolean {
  if (facts.entry === null) return false;
  return (
    from.files.some((file) => facts.configuration.test(file)) ||
    from.hasKey(facts.runner) ||
    (!hasScripts && from.dependencies.has(facts.runner))
  );
}

async function scriptTarget(
  from: Package,
  workspace: string,
  name: string,
  text: string,
  readers: Readers,
): Promise<Target> {
  const script = readScript(text);
  const facts = runners.find((one) => one.runner === script.runner);
  const run = await scriptRun(from, workspace, name, script, facts, readers);
  return {
    ...testsOf(
      from,
      workspace,
      `script:${name}`,
      name === 'test' ? `${from.manager} test` : `${from.manager} run ${name}`,
    ),
    runner: script.runner,
    description: descriptionOf(from, workspace, script.runner),
    isOrchestrator: script.isOrchestrator,
    ...run,
  };
}

type Run = Pick<Target, 'command' | 'env' | 'notes'>;

/**
 * The script as the person wrote it, but once, and without coverage: by arguments for its last command, else by
 * running its one command itself, else with `CI=true`, and coverage is only said.
 */
async function scriptRun(
  from: Package,
  workspace: string,
  name: string,
  script: ScriptText,
  facts: RunnerFacts | undefined,
  readers: Readers,
): Promise<Run> {
  const hasCoverage = script.coverage !== 'none';
  const notes = [...(script.watches ? [onceNote] : []), ...(hasCoverage ? [coverageOffNote] : [])];
  const once = script.watches ? (facts?.stopWatching ?? null) : [];
  const noCoverage = script.coverage === 'runner' ? (facts?.noCoverage ?? null) : null;
  const bare = hasCoverage ? noCoverage : [];
  const isPlain = notes.length === 0;
  if (isPlain) return { command: runScript(from.manager, name), env: {}, notes };
  if (once !== null && bare !== null && script.takesArguments) {
    return { command: runScript(from.manager, name, [...once, ...bare]), env: {}, notes };
  }
  const args = argumentsOf(script.command?.words ?? []);
  const isAlone = args !== null && from.scripts[`pre${name}`] === undefined;
  const own = isAlone && facts !== undefined ? await runnerCommand(facts, from, workspace, readers) : null;
  if (own !== null && args !== null) {
    return { command: [...own, ...plainArguments(args), ...(once ?? [])], env: script.command?.env ?? {}, notes };
  }
  return {
    command: runScript(from.manager, name),
    env: script.watches ? { CI: 'true' } : {},
    notes: [...(script.watches ? [onceNote] : []), ...(hasCoverage ? [coverageOnNote] : [])],
  };
}

const onceNote = 'This would watch for changes: it runs once here.';
const coverageOffNote = 'Coverage is off for this run: it makes hot code look hotter than it is.';
const coverageOnNote =
  'This runs with coverage, which makes hot code look hotter than it is: profile without it for true figures.';

/** A runner that is set up without a script of its own. */
async function bareTarget(
  facts: RunnerFacts,
  from: Package,
  workspace: string,
  readers: Readers,
): Promise<Target | null> {
  const command = await runnerCommand(facts, from, workspace, readers);
  if (command === null) return null;
  return {
    ...testsOf(from, workspace, facts.runner, facts.runner),
    runner: facts.runner,
    command: [...command, ...facts.once, ...(facts.noCoverage ?? [])],
  };
}

function nodeTestTarget(from: Package, workspace: string): Target {
  return { ...testsOf(from, workspace, 'node:test', 'node --test'), runner: 'node:test', command: ['node', '--test'] };
}

function testsOf(from: Package, workspace: string, name: string, label: string): Omit<Target, 'runner' | 'command'> {
  return {
    id: `${relativeFolder(from.folder, workspace)}#${name}`,
    kind: 'tests',
    label,
    description: descriptionOf(from, workspace, null),
    folder: from.folder,
    env: {},
    notes: [],
    isOrchestrator: false,
  };
}

function descriptionOf(from: Package, workspace: string, runner: string | null): string {
  const folder = relativeFolder(from.folder, workspace);
  return [folder === '.' ? null : folder, runner].filter((part) => part !== null).join(' · ');
}

/** With `/` everywhere: ids are the same on every system. */
export function relativeFolder(folder: string, workspace: string): string {
  const relative = path.relative(workspace, folder).split(path.sep).join('/');
  return relative === '' ? '.' : relative;
}

/** Node's own runner needs neither a dependency nor a configuration: some test file in the usual places imports it. */
async function hasNodeTests(from: Package, readers: Readers): Promise<boolean> {
  for (const folder of ['.', 'test', 'tests', '__tests__', 'src']) {
    const names = await readers.list(path.join(from.folder, folder));
    const candidates = names.filter((name) => /(^|[.-])tests?([.-]|$)|^test/.test(name) || folder.includes('test'));
    for (const name of candidates.filter((file) => /\.[cm]?[jt]s$/.test(file)).slice(0, 20)) {
      const text = await readers.readText(path.join(from.folder, folder, name));
      if (text !== null && /['"]node:test['"]/.test(text)) return true;
    }
  }
  return false;
}
