import type { RunnerFacts } from './runners.ts';

/** What stands behind the runner's name in a script's words; null where the runner is called in another way. */
export function argumentsOf(words: readonly string[]): readonly string[] | null {
  const name = words.findIndex((word) => /(^|[/\\])(vitest|jest|_?mocha|node)(\.[cm]?js)?$/.test(word));
  return name < 0 ? null : words.slice(name + 1);
}

/** All tests, once, without coverage. */
export function plainArguments(words: readonly string[]): readonly string[] {
  return words.filter((word) => !watching.test(word) && !coverage.test(word));
}

/** The options with their values, without the tests that are named and the words for how to run them. */
export function optionsOf(words: readonly string[], facts: RunnerFacts): readonly string[] {
  return words.filter((word, index) => {
    const isValue = index > 0 && facts.valued.test(words[index - 1] ?? '');
    const isDropped = watching.test(word) || coverage.test(word) || /^--(run|test)$/.test(word);
    return isValue || (word.startsWith('-') && !isDropped);
  });
}

const watching = /^(--watch(All|-files)?(=.*)?|-w)$/;
const coverage = /^(--coverage.*|--experimental-test-coverage)$/;
