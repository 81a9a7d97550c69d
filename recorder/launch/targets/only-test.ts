import path from 'node:path';
import type { Runner, Target } from '../target.ts';

/** A test or a suite as the Test Explorer shows it. */
export interface ShownTest {
  readonly name: string;
  /** Outermost first; none where that is not known. */
  readonly suites: readonly string[];
  /** All tests in it. */
  readonly isSuite: boolean;
}

/** The target for only one test of a file, or for those of one suite; null where its runner is not known. */
export function onlyTest(target: Target, test: ShownTest): Target | null {
  const { runner, command, id } = target;
  if (runner === null) return null;
  // Node 20 knows tests by their own names alone.
  const names = runner === 'node:test' ? [test.name] : [...test.suites, test.name];
  const filter = [options[runner], patternOf(names, test.isSuite)];
  // Behind the file, Node's own runner takes options for the file's.
  const place = runner === 'node:test' ? command.length - 1 : command.length;
  return {
    ...target,
    id: `${id}:${[...test.suites, test.name].join(' ')}`,
    label: `${test.isSuite ? 'Suite' : 'Test'} "${test.name}"`,
    command: [...command.slice(0, place), ...filter, ...command.slice(place)],
  };
}

/** The file of a command by {@link onlyTest}: null for all others. */
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

/** What stands for a value in a name: of a table of tests `%s` and `$value`, of a template `${…}`. */
const placeholder = /%[a-zA-Z#%]|\$\{(?:[^{}]|\{[^{}]*\})*\}|\$\w+(?:\.\w+)*/;

/** Runners match names with those of the suites around them, between spaces; what is known only in the run may be anything. */
function patternOf(names: readonly string[], isSuite: boolean): string {
  const literals = names.join(' ').split(placeholder);
  const pattern = literals.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*');
  return isSuite ? pattern : `${pattern}$`;
}
