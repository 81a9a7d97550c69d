import type { Runner } from '../target.ts';

/** Splits a text into words as a POSIX shell does, and takes off their quotes. Nothing is substituted. */
export function splitWords(text: string): readonly string[] {
  const words = [...text.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|(?:[^\s"'\\]|\\.)+)+/gs)];
  return words.map(([word]) =>
    word.replaceAll(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs,
      (_, double?: string, single?: string, escaped?: string) =>
        double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? '',
    ),
  );
}

/** The test runner whose name stands anywhere in a command; null where none does. */
export function runnerOf(command: string): Runner | null {
  const words = command.split(/\s+/).map((word) => word.replaceAll(/["']/g, ''));
  if (words.some((word) => /(^|\/)vitest(\.mjs)?$/.test(word))) return 'vitest';
  if (words.some((word) => /(^|\/)jest(\.js)?$/.test(word)) || /\breact-scripts\b.*\btest\b/.test(command))
    return 'jest';
  if (words.some((word) => /(^|\/)_?mocha(\.[cm]?js)?$/.test(word))) return 'mocha';
  const isNode = words.some((word) => /(^|\/)(node|tsx)$/.test(word));
  return isNode && words.includes('--test') ? 'node:test' : null;
}

/** What runs a command's tests instead of Node.js, as people call it; null where nothing like that is known. */
export function foreignOf(words: readonly string[]): string | null {
  const [program = ''] = words;
  if (program === 'bunx') return 'Bun';
  if (program === 'bun') return bunOf(words.slice(1));
  if (program === 'deno') return /^(install|lint|fmt|check|cache|doc|compile)$/.test(words[1] ?? '') ? null : 'Deno';
  const tool = words.map((word) => browserTools.exec(word)?.[1]).find((name) => name !== undefined);
  if (tool !== undefined) return `a browser (${tool})`;
  if (words.includes('playwright') && words.some((word) => word.includes('playwright-ct')))
    return 'a browser (playwright)';
  if (words.some((word) => /^electron(-mocha)?$/.test(word))) return 'Electron';
  const isVitest = words.some((word) => /(^|\/)vitest(\.mjs)?$/.test(word));
  return isVitest && words.some((word) => /^--browser(\.enabled|\.name)?(=(?!false)|$)/.test(word))
    ? 'a browser (vitest --browser)'
    : null;
}

const browserTools = /^(?:.*\/)?(karma|web-test-runner|wtr|cypress|test-storybook|mochify|airtap)(?:\.[cm]?js)?$/;

/**
 * Bun runs its own tests and files itself. A tool of the package is run in the tool's own way, unless `--bun` says
 * otherwise.
 */
function bunOf(words: readonly string[]): string | null {
  const [first = '', second = ''] = words;
  if (first === 'run') return second === '--bun' || isSource(second) ? 'Bun' : foreignOf(words.slice(1));
  if (/^(install|i|add|ci|build|pm|publish)$/.test(first)) return null;
  return first === 'test' || first === 'x' || first.startsWith('-') || isSource(first) ? 'Bun' : foreignOf(words);
}

function isSource(word: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(word);
}

/** Whether a command only checks types or style, publishes or builds. Any other command may be a test. */
export function isChore(words: readonly string[]): boolean {
  const [program = '', first = ''] = words;
  if (/^(pnpm|yarn)$/.test(program) && chores.test(first)) return true;
  if (/^(npm|pnpm|yarn|bun|deno)$/.test(program))
    return /^(install|i|ci|add|build|lint|fmt|check|pack|publish)$/.test(first);
  if (program === 'vite') return first === 'build';
  return words.slice(0, 3).some((word) => chores.test(word));
}

const chores =
  /^(?:(?:.*\/)?node_modules\/.*\/)?(?:tsc|tsgo|vue-tsc|svelte-check|eslint|prettier|biome|oxlint|oxfmt|standard|xo|stylelint|cspell|markdownlint(?:-cli2?)?|tsd|tstyche|dtslint|attw|publint|knip|sherif|size-limit|madge|flow|git|rimraf|rm|mkdir|cp|mv|cd|echo|true|tsup|tsdown|unbuild|rollup|esbuild|swc|babel|webpack)(?:\.[cm]?js)?$/;

/** The words without variables before them, and without programs that only start the rest (`npx`, `cross-env`). */
export function bareWords(words: readonly string[]): readonly string[] {
  const [first = '', second = '', third = ''] = words;
  if (/^\w+=/.test(first) || /^(cross-env(-shell)?|env|time)$/.test(first)) return bareWords(words.slice(1));
  if (first === 'npx') return bareWords(words.slice(second.startsWith('-') ? 2 : 1));
  const isExec = /^(pnpm|yarn|npm)$/.test(first) && /^(exec|dlx|x)$/.test(second);
  return isExec ? bareWords(words.slice(third === '--' ? 3 : 2)) : words;
}
