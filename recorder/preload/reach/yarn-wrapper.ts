/**
 * The words that a script of Yarn's starts, a path to Node first; null for any other file. Yarn 2 and later makes one for
 * each command of a package, in a folder that is first on the PATH while it runs something:
 *
 *     #!/bin/sh
 *     exec "/usr/bin/node" '/app/node_modules/mocha/bin/mocha.js' "$@"
 */
export function wordsOfWrapper(text: string): readonly string[] | null {
  const [, program, words] = /^#!\/bin\/sh\nexec "([^"$`\\]+)" ((?:'(?:[^']|'"'"')*' ?)*) ?"\$@"\n$/.exec(text) ?? [];
  if (program === undefined || words === undefined) return null;
  return [
    program,
    ...Array.from(words.matchAll(/'((?:[^']|'"'"')*)'/g), ([, word = '']) => word.replaceAll(`'"'"'`, `'`)),
  ];
}

/** In bytes: it holds a path or two. */
export const longestWrapper = 16_384;
