import { shellText } from '../../../words/formats/command-text.ts';
import { globMatcher } from '../packages/glob.ts';
import { readPackage } from '../packages/packages.ts';
import type { Readers } from '../packages/readers.ts';
import type { Runner } from '../target.ts';

/** What the text of a script of a package.json shows. */
export interface ScriptText {
  readonly parts: readonly ScriptPart[];
  /** The first runner that the script names; null: none that is known. */
  readonly runner: Runner | null;
  /** Whether the script waits for changes after its first run, by the runner's default or by an option. */
  readonly watches: 'never' | 'by default' | 'by option';
  /** What collects coverage: a tool around the runner (c8, nyc), which no option switches off, or the runner itself. */
  readonly coverage: 'none' | 'tool' | 'runner';
  /** The script runs scripts of other packages. */
  readonly isOrchestrator: boolean;
  /** Words before additional arguments so that they reach the runner; null where they miss a part that needs them. */
  readonly passing: readonly string[] | null;
  /** The script as one command; null where it needs a shell, or calls another script. */
  readonly command: ScriptCommand | null;
}

export interface ScriptCommand {
  /** The variables set in front of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

/** Reads the text of a script. `scripts` are all scripts of its package, which it may call. */
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
    watches: watching.includes('by option') ? 'by option' : (watching[0] ?? 'never'),
    coverage: coverageOf(texts.join('\n')),
    isOrchestrator: parts.some(isOrchestrator),
    passing: last?.runner !== null && parts.slice(0, -1).every(isDone) ? (last?.passing ?? null) : null,
    command: parts.length === 1 && only?.via.length === 0 ? commandOf(text) : null,
  };
}

/** Whether a command in this folder starts a known test runner, itself or through a script of the package. */
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
  if (/\s--watch(All|-files)?(\s|=true|$)|\bvitest (watch|dev)\b/.test(text)) return 'by option';
  if (runner !== 'jest' && /\s-w(\s|$)/.test(text)) return 'by option';
  return runner === 'vitest' || /\breact-scripts\b/.test(text) ? 'by default' : 'never';
}

/**
 * The command and the variables before it, with or without `cross-env`; null where it needs a shell. The person's own
 * NODE_OPTIONS, to which a script may add, are left out.
 */
export function commandOf(text: string): ScriptCommand | null {
  const own = text.replaceAll(/\$(NODE_OPTIONS\b|\{NODE_OPTIONS(:?-)?\})/g, '');
  if (/[$`&|;<>()]/.test(shellSyntax(own))) return null;
  const words = splitWords(own);
  const rest = /^cross-env(-shell)?$/.test(words[0] ?? '') ? words.slice(1) : words;
  const start = rest.findIndex((word) => !/^\w+=/.test(word));
  if (start < 0) return null;
  const env = rest
    .slice(0, start)
    .map((word): [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  return { env: Object.fromEntries(env), words: rest.slice(start) };
}

/** The text without what quotes hide from a shell: double quotes leave `$` and backticks. */
function shellSyntax(text: string): string {
  return text.replaceAll(
    /"((?:[^"\\]|\\.)*)"|'[^']*'/gs,
    (_, double?: string) => double?.replaceAll(/\\.|[^$`]/gs, '') ?? '',
  );
}

/** One command of a script, or of a script that it runs. */
export interface ScriptPart {
  readonly text: string;
  /** Null: no known runner. */
  readonly runner: Runner | null;
  /** What runs the command's tests instead of Node.js: `Bun`, `a browser (karma)`; null: unknown. */
  readonly foreign: string | null;
  /** The command builds, installs or checks: it runs no tests. */
  readonly isChore: boolean;
  /** Names of the scripts through which the script calls the command, outermost first. */
  readonly via: readonly string[];
  /** Words before arguments of the whole script so that they reach this command; null where they cannot. */
  readonly passing: readonly string[] | null;
}

type Scripts = Readonly<Record<string, string>>;

/** The commands of a script, at most 1 000, with those of scripts that it calls, each call once. */
export function scriptParts(text: string, scripts: Scripts): readonly ScriptPart[] {
  const seen = new Set<string>();
  const isFirst = (call: string): boolean => {
    const isNew = seen.size < MAX_PARTS && !seen.has(call);
    if (isNew) seen.add(call);
    return isNew;
  };
  const parts: ScriptPart[] = [];
  for (const part of partsOf({ text, via: [], passing: [] }, scripts, isFirst)) {
    parts.push(part);
    if (parts.length === MAX_PARTS) break;
  }
  return parts;
}

const MAX_PARTS = 1000;

type Called = Pick<ScriptPart, 'text' | 'via' | 'passing'>;

/** `isFirst`: this call was not made before, and may be read. */
function* partsOf(
  { text, via, passing }: Called,
  scripts: Scripts,
  isFirst: (call: string) => boolean,
): Generator<ScriptPart, void> {
  const commands = commandsIn(text);
  const moved = commands.findIndex((command) => /^cd\s/.test(command));
  for (const [index, command] of commands.entries()) {
    const reached = index === commands.length - 1 && !/[|<>]/.test(shellSyntax(command)) ? passing : null;
    const words = bareWords(splitWords(command));
    const isElsewhere = (moved >= 0 && index > moved) || runsInPackages.test(words.join(' '));
    const call = isElsewhere ? null : callOf(words, scripts);
    const names = call?.names.filter((name) => !via.includes(name)) ?? [];
    if (call === null || names.length === 0) {
      yield { ...factsOf(command, words), via, passing: reached };
      continue;
    }
    const next = reached === null || call.passing === null ? null : [...call.passing, ...reached];
    for (const name of names.filter((one) => isFirst(JSON.stringify([one, call.args, next]))))
      yield* partsOf(
        { text: `${scripts[name] ?? ''} ${shellText(call.args, false)}`.trim(), via: [...via, name], passing: next },
        scripts,
        isFirst,
      );
  }
}

function factsOf(text: string, words: readonly string[]): Pick<ScriptPart, 'text' | 'runner' | 'foreign' | 'isChore'> {
  const runner = runnerOf(text);
  const foreign = foreignOf(words);
  return { text, runner, foreign, isChore: runner === null && foreign === null && isChore(words) };
}

/** Behind other words the tool's name may be an argument of a runner. */
function isOrchestrator({ text, runner }: ScriptPart): boolean {
  const words = bareWords(splitWords(text));
  const isTool = (word: string): boolean => /^(.*\/\.bin\/)?(turbo|nx|lerna)$/.test(word);
  return runsInPackages.test(words.join(' ')) || (runner === null ? words : words.slice(0, 1)).some(isTool);
}

/** A package manager that runs a script of each package. Options after the script's name are the script's, except npm's. */
const runsInPackages =
  /^(npm ((?!-- )\S+ )*(-ws|--workspaces)|(pnpm|yarn)( run| exec)?( (-F|--filter|-C|--dir) [^\s-]\S*| -\S+)* (-r|--recursive|recursive|workspaces))( |$)/;

/** The commands between `&&`, `||`, `;` and `&`, but not inside quotes. */
function commandsIn(text: string): readonly string[] {
  const pieces = [...text.matchAll(/((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"';&|]|\|(?!\|)|["'])+)|&&|\|\||[;&]/g)];
  return pieces.map(([, command = '']) => command.trim()).filter((command) => command !== '');
}

/** The package's other scripts that the words call, and arguments for the last command of each; null: none. */
function callOf(words: readonly string[], scripts: Scripts) {
  const [program = '', ...rest] = words.filter((word) => !/^(-s|--silent|--if-present)$/.test(word));
  if (/^(run-s|run-p|npm-run-all2?|concurrently)$/.test(program)) {
    const names = rest.map((word) => word.replace(/^(npm:|(npm|pnpm|yarn|bun) run )/, '').replace(/ .*/, ''));
    return { names: names.flatMap((name) => namesLike(name, scripts)), args: [], passing: null };
  }
  const [first = '', second = ''] = rest;
  const isRun = /^run(-script)?$/.test(first) || (program === 'node' && first === '--run');
  const name = isRun ? second : program === 'npm' && first === 't' ? 'test' : first;
  if (!Object.hasOwn(scripts, name) || !canCall(program, name, isRun)) return null;
  const after = rest.slice(isRun ? 2 : 1);
  const dashes = after.indexOf('--');
  const needsDashes = /^(npm|node)$/.test(program) && dashes < 0;
  // npm takes options before the dashes for its own.
  const isPassed = (word: string, index: number): boolean =>
    index !== dashes && (program !== 'npm' || !word.startsWith('-') || (dashes >= 0 && index > dashes));
  return { names: [name], args: after.filter(isPassed), passing: needsDashes ? ['--'] : [] };
}

/** Whether these words can call a script: `npm lint` is not one, and `bun test` never is. */
function canCall(program: string, name: string, isRun: boolean): boolean {
  if (isRun) return /^(npm|pnpm|yarn|bun|node)$/.test(program);
  if (program === 'npm') return /^(test|start)$/.test(name);
  return /^(pnpm|yarn)$/.test(program) || (program === 'bun' && name !== 'test');
}

/** The scripts that a pattern such as `test:*` means, without those that are nested deeper, as in npm-run-all. */
function namesLike(pattern: string, scripts: Scripts): readonly string[] {
  const matches = globMatcher(pattern.replaceAll(':', '/'));
  return Object.keys(scripts).filter((name) => name === pattern || matches?.(name.replaceAll(':', '/')) === true);
}

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

/** The test runner that a command names anywhere; null: none. */
function runnerOf(command: string): Runner | null {
  const words = command.split(/\s+/).map((word) => word.replaceAll(/["']/g, ''));
  if (words.some((word) => /(^|\/)vitest(\.mjs)?$/.test(word))) return 'vitest';
  if (words.some((word) => /(^|\/)jest(\.js)?$/.test(word)) || /\breact-scripts\b.*\btest\b/.test(command))
    return 'jest';
  if (words.some((word) => /(^|\/)_?mocha(\.[cm]?js)?$/.test(word))) return 'mocha';
  const isNode = words.some((word) => /(^|\/)(node|tsx)$/.test(word));
  return isNode && words.some((word) => /^--test(-name-pattern)?$/.test(word)) ? 'node:test' : null;
}

/** What runs a command's tests instead of Node.js, as people call it; null where nothing like that is known. */
function foreignOf(words: readonly string[]): string | null {
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

/** Bun runs its own tests and files. A tool of the package runs in its own way, unless `--bun` says otherwise. */
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
function isChore(words: readonly string[]): boolean {
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
function bareWords(words: readonly string[]): readonly string[] {
  const [first = '', second = '', third = ''] = words;
  if (/^\w+=/.test(first) || /^(cross-env(-shell)?|env|time)$/.test(first)) return bareWords(words.slice(1));
  if (first === 'npx') return bareWords(words.slice(second.startsWith('-') ? 2 : 1));
  const isExec = /^(pnpm|yarn|npm)$/.test(first) && /^(exec|dlx|x)$/.test(second);
  return isExec ? bareWords(words.slice(third === '--' ? 3 : 2)) : words;
}
