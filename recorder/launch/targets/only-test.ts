import path from 'node:path';
import type { Runner, Target } from '../target.ts';

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
  // Node 20 matches only the test's own name, later ones also the full name: that is used where it alone tells which is meant.
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

/** A placeholder for a value in a test's name: `%s` and `$value` in a table of tests, `${…}` in a template. */
const placeholder = /%[a-zA-Z#%]|\$\{(?:[^{}]|\{[^{}]*\})*\}|\$\w+(?:\.\w+)*/;

/**
 * A pattern for the full name: runners match a test's name together with those of its suites, separated by spaces.
 * Placeholders match anything. Vitest 5 has ` > ` between the names, and Vitest 0 to 2 begin with a space.
 */
function patternOf(names: readonly string[], { isSuite, isWhole }: ShownTest, runner: Runner): string {
  const pattern = names.map(withPlaceholders).join(runner === 'vitest' ? '(?: >)? ' : ' ');
  const begin = isWhole ? (runner === 'vitest' ? '^ ?' : '^') : '';
  const end = isSuite ? (isWhole ? '(?: |$)' : '') : '$';
  return `${begin}${pattern}${end}`;
}

function withPlaceholders(name: string): string {
  const literals = name.split(placeholder);
  return literals.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*');
}
