import path from 'node:path';
import { type Package, findPackages } from '../packages/packages.ts';
import type { Readers, Search } from '../packages/readers.ts';
import { readScript } from '../npm-scripts/script-text.ts';
import { projectsOf } from '../runners/runner-projects.ts';
import { type RunnerFacts, isConfigured, runnerCommand, runners } from '../runners/runners.ts';
import { type Target, type TargetsFound, descriptionOf, relativeFolder, unchanged } from '../target.ts';
import { imports, type TestScript, testScripts } from './test-scripts.ts';
import { innermostScript, runsAlike, scriptRun, wholeText } from './script-targets.ts';

/**
 * The tests of a workspace folder and of its packages: `test` and `test:…` scripts, and runners that are set up without a
 * script. Targets that run the tests of all packages come last.
 */
export async function findTargets(workspace: string, readers: Readers): Promise<TargetsFound> {
  const packages = await findPackages(workspace, readers);
  const found = await Promise.all(packages.map((one) => targetsOf(one, { workspace, readers })));
  const [root] = found;
  // Tests of packages may need the settings of the outermost package, where that starts their runner.
  const own = root?.targets.filter(({ folder, isOrchestrator }) => folder === workspace && !isOrchestrator) ?? [];
  const isRun = ({ folder, id, runner }: Target): boolean =>
    folder !== workspace && id.endsWith(`#${runner}`) && own.some((target) => target.runner === runner);
  const targets = found.flatMap((one) => one.targets).filter((target) => !isRun(target));
  const files = packages.length === 0 ? await readers.list(workspace) : [];
  const foreign = [...found.flatMap((one) => one.foreign), ...setUpElsewhere(files)];
  if (targets.length === 0 && foreign.length > 0) {
    return none(
      `No tests in ${path.basename(workspace)} that Node.js runs, and Hotspan profiles Node.js: ${listOf(foreign)}. ` +
        'Profile a file or an npm script that Node.js runs.',
    );
  }
  if (packages.length === 0) {
    return none(
      `There is no package.json in ${workspace}. Open the folder of your package, or profile a single file or command.`,
    );
  }
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

/** Sentences for the files of a package: `karma.conf.js is for tests in a browser`. */
function setUpElsewhere(files: readonly string[]): readonly string[] {
  const signs: readonly (readonly [RegExp, string])[] = [
    [/^deno\.jsonc?$/, 'Deno'],
    [/^bunfig\.toml$/, 'Bun'],
    [/^(karma\.conf|cypress(\.config)?|(web-test-runner|wtr|playwright-ct)\.config)\.\w+$/, 'a browser'],
  ];
  return files.flatMap((file) =>
    signs.filter(([pattern]) => pattern.test(file)).map(([, place]) => `${file} is for tests in ${place}`),
  );
}

/** The first three sentences, and how many more there are. */
function listOf(sentences: readonly string[]): string {
  const more = sentences.length > 3 ? `, ${sentences.length - 3} more` : '';
  return `${sentences.slice(0, 3).join(', ')}${more}`;
}

async function targetsOf(from: Package, search: Search) {
  const { workspace, readers } = search;
  const { scripts: found, foreign } = await testScripts(from, readers);
  const scripts = innermostFirst(found, from);
  const byScript = await Promise.all(scripts.map((one) => scriptTarget(from, one, search)));
  const parts = [...scripts, ...foreign].flatMap(({ script }) => script.parts);
  const covered = new Set(parts.map(({ runner }) => runner));
  const others = runners.filter((facts) => !covered.has(facts.runner) && isSetUp(facts, from, parts.length > 0));
  const byRunner = await Promise.all(others.map((facts) => bareTarget(facts, from, search)));
  const targets = [...byScript, ...byRunner.filter((one) => one !== null && typeof one === 'object')];
  const hasOwn = targets.length > 0 || !(await hasNodeTests(from, readers));
  return {
    targets: hasOwn ? targets : [{ ...nodeTest, ...testsOf(from, workspace, 'node:test', 'node --test') }],
    /** Sentences about tests that cannot be profiled: `"test" runs in Bun`. */
    foreign: [
      ...foreign.map(({ name, foreign: [what = ''] }) => `"${name}" runs in ${what}`),
      ...byRunner.filter((one) => typeof one === 'string'),
      ...setUpElsewhere(from.files),
    ],
  };
}

/** Adds the inner test script of a script that does more; before it, unless it needs the other commands. */
function innermostFirst(scripts: readonly TestScript[], from: Package): readonly TestScript[] {
  const ordered = scripts.flatMap((one): readonly TestScript[] => {
    const name = innermostScript(one.script);
    if (name === null) return [one];
    const inner = scripts.find((other) => other.name === name);
    const found = inner ?? { name, script: readScript(from.scripts[name] ?? '', from.scripts), foreign: one.foreign };
    return runsAlike(one, name, from) ? [found, one] : [one, found];
  });
  return ordered.filter(({ name }, index) => ordered.findIndex((other) => other.name === name) === index);
}

/** Whether a runner is set up in a package. A dependency counts only where no script tests anything. */
function isSetUp(facts: RunnerFacts, from: Package, hasScripts: boolean): boolean {
  const isNeeded = !hasScripts && from.dependencies.has(facts.runner);
  return facts.entry !== null && (isConfigured(facts, from) || isNeeded);
}

async function scriptTarget(from: Package, { name, script, foreign }: TestScript, search: Search): Promise<Target> {
  const { workspace, readers } = search;
  const run = await scriptRun(from, name, script, readers);
  return {
    ...testsOf(from, workspace, `script:${name}`, `${from.manager} ${name === 'test' ? '' : 'run '}${name}`),
    runner: script.runner,
    description: descriptionOf(from.folder, workspace, runnersOf(script)),
    isOrchestrator: script.isOrchestrator,
    ...(run.command[0] === from.manager ? { script: wholeText(from, name) } : {}),
    ...run,
    notes: [...run.notes, ...foreign.map(partNote)],
  };
}

/** `mocha, node:test`: the runners of a script, in the order in which it runs them; null where none is known. */
function runnersOf({ parts }: TestScript['script']): string | null {
  const names = parts.flatMap(({ runner, foreign }) => (runner === null || foreign !== null ? [] : [runner]));
  return names.length === 0 ? null : [...new Set(names)].join(', ');
}

function partNote(place: string): string {
  return `A part of it runs in ${place}: nothing of that is recorded.`;
}

/** The target for a runner without a script; null where it is not installed, a sentence where it runs elsewhere. */
async function bareTarget(
  facts: RunnerFacts,
  from: Package,
  { workspace, readers }: Search,
): Promise<Target | string | null> {
  const projects = await projectsOf(facts, [], from, readers);
  const foreign = projects.find(({ runsIn }) => runsIn !== 'Node.js');
  if (foreign !== undefined && projects.every(({ runsIn }) => runsIn !== 'Node.js'))
    return `${facts.runner} runs in ${foreign.runsIn}`;
  const command = await runnerCommand(facts, from, readers);
  if (command === null) return null;
  return {
    ...testsOf(from, workspace, facts.runner, facts.runner),
    runner: facts.runner,
    command: [...command, ...facts.once, ...(facts.noCoverage ?? [])],
    notes: foreign === undefined ? [] : [partNote(foreign.runsIn)],
  };
}

const nodeTest = { runner: 'node:test', command: ['node', '--test'] } as const;

function testsOf(from: Package, workspace: string, name: string, label: string): Omit<Target, 'runner' | 'command'> {
  return {
    id: `${relativeFolder(from.folder, workspace)}#${name}`,
    kind: 'tests',
    label,
    description: descriptionOf(from.folder, workspace, null),
    folder: from.folder,
    ...unchanged,
  };
}

/** Whether a file in the usual places imports `node:test`, which needs neither a dependency nor a configuration. */
async function hasNodeTests(from: Package, readers: Readers): Promise<boolean> {
  for (const folder of ['.', 'test', 'tests', '__tests__', 'src']) {
    const names = await readers.list(path.join(from.folder, folder));
    const candidates = names.filter((name) => /(^|[.-])tests?([.-]|$)|^test/.test(name) || folder.includes('test'));
    for (const name of candidates.filter((file) => /\.[cm]?[jt]s$/.test(file)).slice(0, 20)) {
      const text = await readers.readText(path.join(from.folder, folder, name));
      if (text !== null && imports(text, `node:test['"]`)) return true;
    }
  }
  return false;
}
