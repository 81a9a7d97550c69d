import type { RunnerFacts } from './runners.ts';

/** The words of a command that starts a runner. */
export interface RunnerWords {
  /** Node's own options, in front of the runner's file. */
  readonly node: readonly string[];
  /** What stands behind the runner's name. */
  readonly args: readonly string[];
}

/** Null where the runner is called in another way. */
export function runnerWords(words: readonly string[], { runner, entry }: RunnerFacts): RunnerWords | null {
  if (entry === null) {
    const name = words.findIndex((word) => /(^|[/\\])(node|tsx)$/.test(word));
    if (name < 0) return null;
    return {
      node: [],
      args: [...(words[name]?.endsWith('tsx') === true ? ['--import', 'tsx'] : []), ...words.slice(name + 1)],
    };
  }
  const name = words.findIndex((word) => new RegExp(`(^|[/\\\\])_?${runner}(\\.[cm]?js)?$`).test(word));
  if (name < 0) return null;
  const node = words.slice(0, name).findLastIndex((word) => /(^|[/\\])node$/.test(word));
  const between = node < 0 ? [] : words.slice(node + 1, name);
  const program = between.findIndex((word, index) => !word.startsWith('-') && !isValue(between, index, nodeValued));
  return { node: program < 0 ? between : between.slice(0, program), args: words.slice(name + 1) };
}

const nodeValued = /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file)$/;

/** All tests, once, without coverage. */
export function plainArguments(words: readonly string[], { valued }: RunnerFacts): readonly string[] {
  return words.filter((word) => valued.test(word) || (!watching.test(word) && !coverage.test(word)));
}

/** The options with their values that hold for every test: not which tests, how to run them, or where to stop in them. */
export function optionsOf(words: readonly string[], facts: RunnerFacts): readonly string[] {
  return words.filter((word, index) => {
    if (isValue(words, index, facts.selecting)) return false;
    if (isValue(words, index, facts.valued)) return true;
    const name = word.replace(/=.*/s, '');
    const isDropped = watching.test(word) || coverage.test(word) || notForOne.test(name);
    return word.startsWith('-') && !facts.selecting.test(name) && (facts.valued.test(name) || !isDropped);
  });
}

/** The tests that are named: files, folders and patterns. */
export function namedTests(words: readonly string[], { valued, selecting }: RunnerFacts): readonly string[] {
  return words.filter(
    (word, index) => !/^(-|run$)/.test(word) && !isValue(words, index, valued) && !isValue(words, index, selecting),
  );
}

/** What an option is given, behind it or after `=`; null where it is not there. */
export function valueOf(words: readonly string[], option: RegExp): string | null {
  const index = words.findIndex((word) => option.test(word.replace(/=.*/s, '')));
  const word = words[index];
  if (word === undefined) return null;
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[index + 1] ?? null);
}

function isValue(words: readonly string[], index: number, options: RegExp): boolean {
  return index > 0 && options.test(words[index - 1] ?? '');
}

const watching = /^(--watch(All|-files)?(=.*)?|-w)$/;
const coverage = /^(--coverage.*|--experimental-test-coverage)$/;
const notForOne =
  /^(--run|--test|--|--ui|--open|--inspect(-brk|-wait)?|--typecheck\.only|--browser(\..*)?|--passWithNoTests|--list(Tests)?|--onlyChanged|--lastCommit|--onlyFailures|--invert)$/;
