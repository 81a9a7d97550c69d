import type { Runner } from '../target.ts';
import { splitWords, foreignOf, isChore, runnerOf, bareWords } from './command-words.ts';
import { globMatcher } from '../packages/glob.ts';
import { readPackage } from '../packages/packages.ts';
import type { Readers } from '../packages/readers.ts';

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

/** Whether a command in this folder starts a runner of tests that we know, itself or by a script of the package. */
export async function startsTests(command: readonly string[], folder: string, readers: Readers): Promise<boolean> {
  const scripts = (await readPackage(folder, readers))?.scripts ?? {};
  return readScript(command.join(' ').replaceAll('\\', '/'), scripts).runner !== null;
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

/** One command of a script, or of a script that it runs. */
export interface ScriptPart {
  readonly text: string;
  /** Null: none that we know. */
  readonly runner: Runner | null;
  /** What runs its tests instead of Node.js: `Bun`, `a browser (karma)`; null: that is not known of it. */
  readonly foreign: string | null;
  /** It builds, installs or checks: none of it is a test. */
  readonly isChore: boolean;
  /** Names of the scripts that lead to it, outermost first; none: it stands in the script itself. */
  readonly via: readonly string[];
  /** What has to stand in front of arguments for the whole script, so that they reach this part; null: they cannot. */
  readonly passing: readonly string[] | null;
}

type Scripts = Readonly<Record<string, string>>;

/**
 * What a script runs, in its order; the package's other `scripts` that it calls are read too, each once for the same
 * arguments. At most 1 000 commands.
 */
export function scriptParts(text: string, scripts: Scripts): readonly ScriptPart[] {
  const seen = new Set<string>();
  const isFirst = (call: string): boolean => {
    const isNew = seen.size < mostParts && !seen.has(call);
    if (isNew) seen.add(call);
    return isNew;
  };
  const parts: ScriptPart[] = [];
  for (const part of partsOf({ text, via: [], passing: [] }, scripts, isFirst)) {
    parts.push(part);
    if (parts.length === mostParts) break;
  }
  return parts;
}

const mostParts = 1000;

type Called = Pick<ScriptPart, 'text' | 'via' | 'passing'>;

/** `isFirst`: nothing was called so before, and it may be read. */
function* partsOf(
  { text, via, passing }: Called,
  scripts: Scripts,
  isFirst: (call: string) => boolean,
): Generator<ScriptPart, undefined> {
  const commands = commandsIn(text);
  const moved = commands.findIndex((command) => /^cd\s/.test(command));
  for (const [index, command] of commands.entries()) {
    const reached = index === commands.length - 1 && !/[|<>]/.test(command) ? passing : null;
    const words = bareWords(splitWords(command));
    const isElsewhere = moved >= 0 && index > moved;
    const call = isElsewhere ? null : callOf(words, scripts);
    const names = call?.names.filter((name) => !via.includes(name)) ?? [];
    if (call === null || names.length === 0) {
      yield { ...factsOf(command, words), via, passing: reached };
      continue;
    }
    const next = reached === null || call.passing === null ? null : [...call.passing, ...reached];
    for (const name of names.filter((one) => isFirst(JSON.stringify([one, call.args, next]))))
      yield* partsOf(
        { text: [scripts[name] ?? '', ...call.args].join(' '), via: [...via, name], passing: next },
        scripts,
        isFirst,
      );
  }
  return undefined;
}

function factsOf(text: string, words: readonly string[]): Pick<ScriptPart, 'text' | 'runner' | 'foreign' | 'isChore'> {
  const runner = runnerOf(text);
  const foreign = foreignOf(words);
  return { text, runner, foreign, isChore: runner === null && foreign === null && isChore(words) };
}

/** Between `&&`, `||`, `;` and `&`, but not inside quotes. */
function commandsIn(text: string): readonly string[] {
  const pieces = [...text.matchAll(/((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"';&|]|\|(?!\|)|["'])+)|&&|\|\||[;&]/g)];
  return pieces.map(([, command = '']) => command.trim()).filter((command) => command !== '');
}

/** Other scripts of the same package that a command runs. */
interface Call {
  readonly names: readonly string[];
  /** Arguments for the last command of each script. */
  readonly args: readonly string[];
  /** The same as in {@link ScriptPart}. */
  readonly passing: readonly string[] | null;
}

/** The call of a script; null where the words are none. */
function callOf(words: readonly string[], scripts: Scripts): Call | null {
  const [program = '', ...rest] = words.filter((word) => !/^(-s|--silent|--if-present)$/.test(word));
  if (/^(run-s|run-p|npm-run-all2?|concurrently)$/.test(program)) {
    const names = rest.map((word) => word.replace(/^(npm:|(npm|pnpm|yarn|bun) run )/, '').replace(/ .*/, ''));
    return { names: names.flatMap((name) => namesLike(name, scripts)), args: [], passing: null };
  }
  const [first = '', second = ''] = rest;
  const isRun = /^run(-script)?$/.test(first) || (program === 'node' && first === '--run');
  const name = isRun ? second : program === 'npm' && first === 't' ? 'test' : first;
  if (scripts[name] === undefined || !canCall(program, name, isRun)) return null;
  const after = rest.slice(isRun ? 2 : 1);
  const needsDashes = /^(npm|node)$/.test(program) && !after.includes('--');
  return { names: [name], args: after.filter((word) => word !== '--'), passing: needsDashes ? ['--'] : [] };
}

/** `npm lint` is no script, `bun test` never is one. */
function canCall(program: string, name: string, isRun: boolean): boolean {
  if (isRun) return /^(npm|pnpm|yarn|bun|node)$/.test(program);
  if (program === 'npm') return /^(test|start)$/.test(name);
  return /^(pnpm|yarn)$/.test(program) || (program === 'bun' && name !== 'test');
}

/** Names that `test:*` means, without those that are nested deeper, as in npm-run-all. */
function namesLike(pattern: string, scripts: Scripts): readonly string[] {
  const matches = globMatcher(pattern.replaceAll(':', '/'));
  return Object.keys(scripts).filter((name) => name === pattern || matches?.(name.replaceAll(':', '/')) === true);
}
