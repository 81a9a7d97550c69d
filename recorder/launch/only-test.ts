import type { Runner, Target } from './target.ts';

/** A test or a suite as the Test Explorer shows it. */
export interface ShownTest {
  readonly name: string;
  /** All tests in it. */
  readonly isSuite: boolean;
}

/** Of the tests of a file, only one, or those of one suite; null where its runner is not known. */
export function onlyTest(target: Target, test: ShownTest): Target | null {
  const { runner, command, id } = target;
  if (runner === null) return null;
  const filter = [options[runner], patternOf(test)];
  // Behind the file, Node's own runner takes options for the file's.
  const place = runner === 'node:test' ? command.length - 1 : command.length;
  return {
    ...target,
    id: `${id}:${test.name}`,
    label: `${test.isSuite ? 'Suite' : 'Test'} "${test.name}"`,
    command: [...command.slice(0, place), ...filter, ...command.slice(place)],
  };
}

const options: Readonly<Record<Runner, string>> = {
  vitest: '-t',
  jest: '-t',
  mocha: '--grep',
  'node:test': '--test-name-pattern',
};

/** Runners match names with those of the suites around them; `%s` and `$value` of a table of tests stand for anything. */
function patternOf({ name, isSuite }: ShownTest): string {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = escaped.replaceAll(/%[a-zA-Z#]|\\\$\w+(?:\\\.\w+)*/g, '.*');
  return isSuite ? pattern : `${pattern}$`;
}
