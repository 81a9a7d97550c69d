import { splitWords } from './split-words.ts';
import type { Runner } from './target.ts';

/** What a script of a package.json does, as far as its text tells. */
export interface ScriptText {
  /** The first runner that it names; null: none that we know. */
  readonly runner: Runner | null;
  /** Would go on after the first run, waiting for changes. */
  readonly watches: boolean;
  /** By a tool around the runner (c8, nyc), which none of its words switches off, or by the runner itself. */
  readonly coverage: 'none' | 'tool' | 'runner';
  /** Runs the tests of other packages. */
  readonly isOrchestrator: boolean;
  /** Its last command is the runner's: arguments after the script's reach it. */
  readonly takesArguments: boolean;
  /** The one command that it is, with the variables set in front of it; null for anything that needs a shell. */
  readonly command: { readonly env: Readonly<Record<string, string>>; readonly words: readonly string[] } | null;
}

export function readScript(text: string): ScriptText {
  const parts = text.split(/&&|\|\||;/).map((part) => part.trim());
  const runners = parts.map(runnerOf);
  const index = runners.findIndex((runner) => runner !== null);
  const runner = runners[index] ?? null;
  return {
    runner,
    watches: runner !== null && watches(runner, parts[index] ?? ''),
    coverage: coverageOf(text),
    isOrchestrator: /\b(turbo|nx|lerna)\b|\b(pnpm|npm|yarn)\b.*\s(-r|--recursive|-ws|--workspaces|workspaces)\b/.test(
      text,
    ),
    takesArguments: runner !== null && index === parts.length - 1 && !/[|<>]/.test(parts[index] ?? ''),
    command: parts.length === 1 ? commandOf(text) : null,
  };
}

function coverageOf(text: string): ScriptText['coverage'] {
  if (/(^|[\s/])(c8|nyc)\s/.test(text)) return 'tool';
  return /--coverage(?!=false|\.enabled=false)\b|--experimental-test-coverage/.test(text) ? 'runner' : 'none';
}

function runnerOf(part: string): Runner | null {
  const words = part.split(/\s+/).map((word) => word.replaceAll(/["']/g, ''));
  if (words.some((word) => /(^|\/)vitest(\.mjs)?$/.test(word))) return 'vitest';
  if (words.some((word) => /(^|\/)jest(\.js)?$/.test(word)) || /\breact-scripts\b.*\btest\b/.test(part)) return 'jest';
  if (words.some((word) => /(^|\/)_?mocha(\.[cm]?js)?$/.test(word))) return 'mocha';
  const isNode = words.some((word) => /(^|\/)(node|tsx)$/.test(word));
  return isNode && words.includes('--test') ? 'node:test' : null;
}

function watches(runner: Runner, part: string): boolean {
  if (runner === 'vitest') return !/\s(run|related|list|bench)\b|--run\b|--watch=false|--no-watch/.test(part);
  if (/\breact-scripts\b/.test(part)) return !/--watch(All)?=false|--ci\b/.test(part);
  return /\s(--watch(All|-files)?|-w)(\s|=true|$)/.test(part);
}

/** Variables in front of the command, with or without `cross-env`. */
function commandOf(text: string): ScriptText['command'] {
  if (/[$`&|;<>()]/.test(text)) return null; // A shell would do more than split it.
  const words = splitWords(text);
  const rest = /^cross-env(-shell)?$/.test(words[0] ?? '') ? words.slice(1) : words;
  const start = rest.findIndex((word) => !/^\w+=/.test(word));
  if (start < 0) return null;
  const env = rest
    .slice(0, start)
    .map((word): [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  return { env: Object.fromEntries(env), words: rest.slice(start) };
}
