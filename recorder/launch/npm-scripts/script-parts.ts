import { globMatcher } from '../packages/glob.ts';
import { foreignOf, isChore, runnerOf } from './script-commands.ts';
import { splitWords } from './split-words.ts';
import type { Runner } from '../target.ts';

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

/** Words without the variables before them, and without what only starts the rest. */
function bareWords(words: readonly string[]): readonly string[] {
  const [first = '', second = '', third = ''] = words;
  if (/^\w+=/.test(first) || /^(cross-env(-shell)?|env|time)$/.test(first)) return bareWords(words.slice(1));
  if (first === 'npx') return bareWords(words.slice(second.startsWith('-') ? 2 : 1));
  const isExec = /^(pnpm|yarn|npm)$/.test(first) && /^(exec|dlx|x)$/.test(second);
  return isExec ? bareWords(words.slice(third === '--' ? 3 : 2)) : words;
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
