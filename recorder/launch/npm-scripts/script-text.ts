import { type ScriptPart, scriptParts } from './script-parts.ts';
import { splitWords } from './split-words.ts';
import type { Runner } from '../target.ts';

/** What a script of a package.json does, as far as its text tells. */
export interface ScriptText {
  readonly parts: readonly ScriptPart[];
  /** The first runner that it names; null: none that we know. */
  readonly runner: Runner | null;
  /** Would go on after the first run, waiting for changes: of itself, or because its words say so. */
  readonly watches: 'never' | 'itself' | 'told';
  /**
   * What collects coverage: a tool around the runner (c8, nyc), which none of its words switches off, or the runner
   * itself.
   */
  readonly coverage: 'none' | 'tool' | 'runner';
  /** Runs the tests of other packages. */
  readonly isOrchestrator: boolean;
  /** What brings arguments behind the script's to the runner; null: they would not reach all that watches or covers. */
  readonly passing: readonly string[] | null;
  /** The one command that it is; null for anything that needs a shell, or another script. */
  readonly command: ScriptCommand | null;
}

export interface ScriptCommand {
  /** The variables set in front of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

/** `scripts` are those of its package, which it may call. */
export function readScript(text: string, scripts: Readonly<Record<string, string>>): ScriptText {
  const parts = scriptParts(text, scripts);
  const texts = parts.map((part) => part.text);
  const last = parts.at(-1);
  const isDone = (part: ScriptPart): boolean => watchOf(part) === 'never' && coverageOf(part.text) === 'none';
  const watching = parts.map(watchOf).filter((one) => one !== 'never');
  const [only] = parts;
  return {
    parts,
    runner: parts.find(({ runner, foreign }) => runner !== null && foreign === null)?.runner ?? null,
    watches: watching.includes('told') ? 'told' : (watching[0] ?? 'never'),
    coverage: coverageOf(texts.join('\n')),
    isOrchestrator: /\b(turbo|nx|lerna)\b|\b(pnpm|npm|yarn)\b.*\s(-r|--recursive|-ws|--workspaces|workspaces)\b/.test(
      [text, ...texts].join('\n'),
    ),
    passing: last?.runner !== null && parts.slice(0, -1).every(isDone) ? (last?.passing ?? null) : null,
    command: parts.length === 1 && only?.via.length === 0 ? commandOf(text) : null,
  };
}

function coverageOf(text: string): ScriptText['coverage'] {
  if (/(^|[\s/])(c8|nyc)\s/.test(text)) return 'tool';
  return /--coverage(?!=false|\.enabled=false)\b|--experimental-test-coverage/.test(text) ? 'runner' : 'none';
}

function watchOf({ runner, foreign, text }: ScriptPart): ScriptText['watches'] {
  if (runner === null || foreign !== null) return 'never';
  const isOnce = /\bvitest\b.*\s(run|related|list|bench)\b|--run\b|--watch=false|--no-watch/.test(text);
  if (runner === 'vitest' && isOnce) return 'never';
  if (/\breact-scripts\b/.test(text) && /--watch(All)?=false|--ci\b/.test(text)) return 'never';
  if (/\s--watch(All|-files)?(\s|=true|$)|\bvitest (watch|dev)\b/.test(text)) return 'told';
  if (runner !== 'jest' && /\s-w(\s|$)/.test(text)) return 'told';
  return runner === 'vitest' || /\breact-scripts\b/.test(text) ? 'itself' : 'never';
}

/** Variables in front of the command, with or without `cross-env`; null where a shell would do more than split it. */
export function commandOf(text: string): ScriptCommand | null {
  if (/[$`&|;<>()]/.test(text)) return null;
  const words = splitWords(text);
  const rest = /^cross-env(-shell)?$/.test(words[0] ?? '') ? words.slice(1) : words;
  const start = rest.findIndex((word) => !/^\w+=/.test(word));
  if (start < 0) return null;
  const env = rest
    .slice(0, start)
    .map((word): [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  return { env: Object.fromEntries(env), words: rest.slice(start) };
}
