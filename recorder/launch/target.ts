import path from 'node:path';
import { isAtOrBelow } from '../../protocol/path-spelling.ts';

/** One thing that can be recorded: what the quick pick lists, and what `record` runs. */
export interface Target {
  /** The same in every run and on every machine: the editor remembers targets by it. */
  readonly id: string;
  readonly kind: 'tests' | 'fileTests' | 'script' | 'file' | 'app' | 'process';
  /** Null where the runner is not known, or there is none. */
  readonly runner: Runner | null;
  /** `npm test`, `vitest`, `Tests of parse.ts`. */
  readonly label: string;
  /** The folder and the runner: `packages/api · mocha`. May be empty. */
  readonly description: string;
  /** Absolute path of the package's folder, in which the command runs. */
  readonly folder: string;
  /** The command; for a process that runs already, `attach` and the address of its inspector. */
  readonly command: readonly string[];
  /** The text of the script that the command runs, with that of its `pre` script; absent where it runs none. */
  readonly script?: string;
  /** Variables that are added to the user's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Sentences for the terminal and the recording: what was changed in the command, and why. */
  readonly notes: readonly string[];
  /** The target runs the tests of other packages (turbo, nx, lerna …): it is offered last. */
  readonly isOrchestrator: boolean;
}

export type Runner = 'node:test' | 'mocha' | 'jest' | 'vitest';

/** Where nothing was found, one sentence says what to do next. */
export type TargetsFound =
  | { readonly type: 'found'; readonly targets: readonly Target[] }
  | { readonly type: 'none'; readonly message: string };

/** `isFinal`: what runs the tests of the file is known and cannot be started, so `node` could not run the file either. */
export type TargetFound =
  | { readonly type: 'found'; readonly target: Target }
  | { readonly type: 'none'; readonly message: string; readonly isFinal: boolean };

/** For targets that need no change. */
export const unchanged = { env: {}, notes: [], isOrchestrator: false } as const;

/** The package's folder, and what else describes a target of it. */
export function descriptionOf(folder: string, workspace: string, what: string | null): string {
  const relative = relativeFolder(folder, workspace);
  return [relative === '.' ? null : relative, what].filter((part) => part !== null).join(' · ');
}

/** The path from the workspace, with `/` on every system because it is part of ids; `.` for the workspace itself. */
export function relativeFolder(folder: string, workspace: string): string {
  const relative = path.relative(workspace, folder).split(path.sep).join('/');
  return relative === '' ? '.' : relative;
}

/** The target for a running process, by the address of its inspector. Its sources are looked for in `folder`. */
export function attachTarget(address: string, name: string, folder: string, notes: readonly string[]): Target {
  return {
    id: `attach:${name}`,
    kind: 'process',
    runner: null,
    label: name,
    description: address,
    folder,
    command: ['attach', address],
    ...unchanged,
    notes,
  };
}

/** What the user used last, and which file is open. */
export interface Preference {
  /** Absolute path; null where no file is open. */
  readonly activeFile: string | null;
  /** Ids of the targets that were used, the latest first. */
  readonly remembered: readonly string[];
}

/** Sorts by: the open file's tests, those of its package, targets that were used, the rest, orchestrators. */
export function orderTargets(targets: readonly Target[], preference: Preference): readonly Target[] {
  const nearest = nearestFolder(targets, preference.activeFile);
  const rank = (target: Target): number => {
    if (target.kind === 'fileTests') return 0;
    if (target.isOrchestrator) return 4;
    if (target.folder === nearest) return 1;
    return preference.remembered.includes(target.id) ? 2 : 3;
  };
  const age = (target: Target): number => {
    const index = preference.remembered.indexOf(target.id);
    return index < 0 ? preference.remembered.length : index;
  };
  return targets.toSorted((a, b) => (rank(a) === rank(b) ? age(a) - age(b) : rank(a) - rank(b)));
}

function nearestFolder(targets: readonly Target[], file: string | null): string | null {
  if (file === null) return null;
  const around = targets.map((target) => target.folder).filter((folder) => isAtOrBelow(file, folder));
  return around.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

/** A test or a suite, as the Test Explorer shows it. */
export interface ShownTest {
  readonly name: string;
  /** Names of the suites around it, outermost first; empty where they are not known. */
  readonly suites: readonly string[];
  /** It is a suite: all its tests are meant. */
  readonly isSuite: boolean;
  /** Whether there are no other suites around it. Then no other test is run whose name only ends like this one. */
  readonly isWhole: boolean;
  /** Whether another test or suite of the file has the same name in another suite. */
  readonly isShared: boolean;
}

/** The target for one test of a file, or for the tests of one suite; null where the runner is not known. */
export function onlyTest(target: Target, test: ShownTest): Target | null {
  const { runner, command, id } = target;
  if (runner === null) return null;
  // Node 20 matches only the test's own name, so the full name is used only where the own name is not enough.
  const isOwnName = runner === 'node:test' && !(test.isShared && test.isWhole);
  const names = isOwnName ? [test.name] : [...test.suites, test.name];
  const filter = [options[runner], patternOf(names, test, runner)];
  // Node's own runner takes options after the file for the file's own.
  const place = runner === 'node:test' ? command.length - 1 : command.length;
  return {
    ...target,
    id: `${id}:${[...test.suites, test.name].join(' ')}`,
    label: `${test.isSuite ? 'Suite' : 'Test'} "${test.name}"`,
    command: [...command.slice(0, place), ...filter, ...command.slice(place)],
  };
}

/** The file of a command that {@link onlyTest} made; null for all other commands. */
export function fileOfOnlyTest(command: readonly string[]): string | null {
  const isOne = Object.values(options).some((option) => command.includes(option));
  const file = command.findLast((word) => /\.[cm]?[jt]sx?$/.test(word) && path.isAbsolute(word));
  return isOne ? (file ?? null) : null;
}

const options: Readonly<Record<Runner, string>> = {
  vitest: '-t',
  jest: '-t',
  mocha: '--grep',
  'node:test': '--test-name-pattern',
};

/** A placeholder in a test's name: `%s` and `$value` in a table of tests, `${…}` in a template. */
const placeholder = /%[a-zA-Z#%]|\$\{(?:[^{}]|\{[^{}]*\})*\}|\$\w+(?:\.\w+)*/;

/**
 * A pattern for the full name: runners match a test's name together with those of its suites, separated by spaces.
 * Placeholders match anything. Vitest 5 has ` > ` between the names, and Vitest 0 to 2 begin with a space. An empty group
 * is put before `-`, which would begin an option, and before `/`, which would begin an expression with flags.
 */
function patternOf(names: readonly string[], { isSuite, isWhole }: ShownTest, runner: Runner): string {
  const pattern = names.map(withPlaceholders).join(runner === 'vitest' ? '(?: >)? ' : ' ');
  const begin = isWhole ? (runner === 'vitest' ? '^ ?' : '^') : /^[-/]/.test(pattern) ? '(?:)' : '';
  const end = isSuite ? (isWhole ? '(?: |$)' : '') : '$';
  return `${begin}${pattern}${end}`;
}

function withPlaceholders(name: string): string {
  const literals = name.split(placeholder);
  return literals.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*');
}
