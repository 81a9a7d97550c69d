import path from 'node:path';
import { shellText } from '../../../words/formats/command-text.ts';
import { type Package, packagesAround, readPackage } from '../packages/packages.ts';
import type { Readers } from '../packages/readers.ts';
import { runsIn, placeOf } from '../runners/runner-projects.ts';
import { type ScriptText, readScript } from '../npm-scripts/script-text.ts';
import { type RunnerFacts, factsOf, isConfigured, runners } from '../runners/runners.ts';
import type { Runner } from '../target.ts';

/** A script of a package that tests something. */
export interface TestScript {
  readonly name: string;
  readonly script: ScriptText;
  /** What runs tests of the script instead of Node.js: `Bun`, `a browser (karma)`; each once. */
  readonly foreign: readonly string[];
}

export interface TestScripts {
  /** Scripts of which Node.js runs at least a part, as far as is known; `test` first. */
  readonly scripts: readonly TestScript[];
  /** Scripts of which Node.js runs nothing. */
  readonly foreign: readonly TestScript[];
}

/**
 * The scripts `test` and `test:…` of a package. Left out are scripts that only check types or style, and scripts with a
 * part that cannot be profiled, where all their other parts are listed as scripts themselves.
 */
export async function testScripts(from: Package, readers: Readers): Promise<TestScripts> {
  const named = Object.entries(from.scripts).filter(([name, text]) => isTestScript(name, text));
  const ordered = [...named.filter(([name]) => name === 'test'), ...named.filter(([name]) => name !== 'test')];
  const looked = await Promise.all(
    ordered.map(async ([name, text]) => lookAt(name, readScript(text, from.scripts), from, readers)),
  );
  const tested = looked.filter(({ node, foreign }) => node.length > 0 || foreign.length > 0);
  const pure = new Set(tested.filter(({ foreign }) => foreign.length === 0).map(({ name }) => name));
  const isSpare = ({ node, foreign }: LookedAt): boolean =>
    foreign.length > 0 && node.every((via) => via.some((name) => pure.has(name)));
  return {
    scripts: tested.filter((one) => one.node.length > 0 && !isSpare(one)),
    foreign: tested.filter(({ node }) => node.length === 0),
  };
}

interface LookedAt extends TestScript {
  /** For each part that Node.js runs: the names of the scripts through which it is reached. */
  readonly node: readonly (readonly string[])[];
}

async function lookAt(name: string, script: ScriptText, from: Package, readers: Readers): Promise<LookedAt> {
  const parts = await Promise.all(
    script.parts
      .filter(({ isChore }) => !isChore)
      .map(async (part) => ({ part, ...(await runsIn(part, from, readers)) })),
  );
  const named = parts.every(({ part }) => part.runner === null) ? placeIn(name) : null;
  const projects = parts.flatMap(({ foreignProjects }) => foreignProjects);
  const foreign = [...parts.map((one) => one.foreign).filter((one) => one !== null), ...projects.map(placeOf)];
  if (named !== null) return { name, script, foreign: [named], node: [] };
  return {
    name,
    script,
    foreign: [...new Set(foreign)],
    node: parts.filter((one) => one.foreign === null).map(({ part }) => part.via),
  };
}

/** Where the tests of a script without a known runner run, according to its name (`test:browser`); null: unknown. */
function placeIn(name: string): string | null {
  const found = /:(bun|deno|browsers?|chrome|firefox|webkit|safari)(:|$)/.exec(name)?.[1];
  if (found === undefined) return null;
  return { bun: 'Bun', deno: 'Deno' }[found] ?? 'a browser';
}

/** Whether a script runs tests: `npm init` writes one that only fails. */
function isTestScript(name: string, text: string): boolean {
  return (
    /^tests?(:|$)/.test(name) &&
    !text.includes('no test specified') &&
    !/:(watch|update|debug|ui|coverage|cov)\b/.test(name)
  );
}

/** The package in which the tests of a file run, and their runner. */
export interface TestHome {
  readonly from: Package;
  /** Null: no known runner. */
  readonly facts: RunnerFacts | null;
  /** Whether the file itself names its runner, in an import or a global object of it. */
  readonly namesRunner: boolean;
  readonly scripts: TestScripts;
  /** Whether the only script is a command that ran the file. */
  readonly isRan: boolean;
}

/** A command that was run, and its folder. */
export interface RanCommand {
  readonly command: readonly string[];
  /** Absolute. */
  readonly folder: string;
}

/**
 * The package in whose folder the command ran, with the command as its only script; null where that starts no known runner
 * of Node.js there. `usual`: what the file's tests use, where it starts several.
 */
async function homeOfCommand(
  { command, folder }: RanCommand,
  usual: RunnerFacts | null,
  readers: Readers,
): Promise<TestHome | null> {
  const from = await readPackage(folder, readers);
  const own = command.slice(0, command.includes('--') ? command.indexOf('--') : command.length);
  if (from === null || (/^(npm|pnpm|yarn)$/.test(own[0] ?? '') && own.some((word) => otherFolder.test(word))))
    return null;
  const text = shellText(
    command.map((word) => word.replaceAll(path.sep, '/')),
    false,
  );
  const script = readScript(text, from.scripts);
  const isElsewhere = script.parts.some((part) => part.foreign !== null || /^cd\s|\breact-scripts\b/.test(part.text));
  const started = new Set(script.parts.flatMap(({ runner }) => runner ?? []));
  const runner = started.size === 1 ? script.runner : [...started].find((one) => one === usual?.runner);
  const facts = isElsewhere ? null : factsOf(runner ?? null);
  const scripts = { scripts: [{ name: 'test', script, foreign: [] }], foreign: [] };
  return facts === null ? null : { from, facts, namesRunner: false, scripts, isRan: true };
}

/** Options with which a package manager runs a script in another folder. */
const otherFolder = /^(-w|-C|-F|--workspace|--prefix|--filter|--cwd|--dir)(=|$)/;

/** The package in which the tests of a file run: by the command that ran them, else by the package's scripts. */
export async function testHome(
  { file, text, workspace, ran }: { file: string; text: string; workspace: string; ran: RanCommand | null },
  readers: Readers,
): Promise<TestHome | null> {
  const usual = await homeOf(file, text, workspace, readers);
  return (ran === null ? null : await homeOfCommand(ran, usual?.facts ?? null, readers)) ?? usual;
}

/**
 * The nearest package whose scripts start the file's runner: in a monorepo often the outermost package. The nearest
 * package of all where no script does, or where the nearest has tests of another kind. Null without a package.
 */
async function homeOf(file: string, text: string, workspace: string, readers: Readers): Promise<TestHome | null> {
  const packages = await packagesAround(file, workspace, readers);
  const homes = await Promise.all(packages.map(async (from) => ({ from, scripts: await testScripts(from, readers) })));
  const [nearest] = homes;
  if (nearest === undefined) return null;
  const used = runnerOfGlobals(text);
  const facts = factsOf(used);
  const isUsed = homes.some((home) => runnersOf(home).includes(used));
  const isKnown = isUsed || (facts !== null && isConfigured(facts, nearest.from));
  const imported = runnerIn(text) ?? (isKnown ? used : null);
  const runnerBy = (home: Pick<TestHome, 'scripts'>): Runner | null =>
    runnersOf(home).find((runner) => runner !== null && runner === (imported ?? runner)) ?? null;
  const isSettled = imported === null && nearest.scripts.scripts.some(({ script }) => !script.isOrchestrator);
  const home = (isSettled ? null : homes.find((one) => runnerBy(one) !== null)) ?? nearest;
  const { from } = home;
  const setUp =
    runners.find((one) => isConfigured(one, from)) ?? runners.find(({ runner }) => from.dependencies.has(runner));
  return {
    ...home,
    facts: factsOf(imported ?? runnerBy(home)) ?? setUp ?? null,
    namesRunner: imported !== null,
    isRan: false,
  };
}

/** What runs the parts of a package's test scripts; null for an unknown runner. */
function runnersOf({ scripts }: Pick<TestHome, 'scripts'>): readonly (Runner | null)[] {
  const parts = scripts.scripts.flatMap(({ script }) => script.parts.filter((part) => part.foreign === null));
  return parts.map(({ runner }) => runner);
}

/** The runner whose global object a test file uses; null: none. Some projects call another runner `jest`. */
function runnerOfGlobals(text: string): Runner | null {
  const [, name] =
    /(?<![\w.$])(jest|vi)\.(?:fn|mock|doMock|spyOn|useFakeTimers|setTimeout|resetModules)\(/.exec(text) ?? [];
  return name === 'jest' ? 'jest' : name === 'vi' ? 'vitest' : null;
}

/** The runner that a test file imports; null where it imports none. */
function runnerIn(text: string): Runner | null {
  const modules: readonly (readonly [string, Runner])[] = [
    [`vitest['"]`, 'vitest'],
    [`node:test['"]`, 'node:test'],
    [`@jest/globals['"]`, 'jest'],
    [`mocha['"]`, 'mocha'],
  ];
  return modules.find(([module]) => imports(text, module))?.[1] ?? null;
}

/** Whether a source imports a module, given as a regular expression for its name and the quote behind it. */
export function imports(text: string, module: string): boolean {
  return new RegExp(`(?:\\b(?:from|import)|\\b(?:import|require)\\(|<reference types=)\\s*['"](?:${module})`).test(
    text,
  );
}

/** What runs the tests of a file instead of Node.js, by the file's own text; null where nothing like that is known. */
export function runsElsewhere(name: string, text: string): string | null {
  const signs: readonly (readonly [string, string])[] = [
    [`bun:test['"]`, 'Bun'],
    ['jsr:@std/|https://deno\\.land/', 'Deno'],
    [`cloudflare:(?:test|workers)['"]`, 'workerd'],
    ['@playwright/experimental-ct-', 'a browser (playwright)'],
    [`(?:@vitest/browser(?:/context)?|vitest/browser)['"]`, 'a browser (vitest)'],
    ['@open-wc/testing|@web/test-runner', 'a browser (web-test-runner)'],
  ];
  if (/\.cy\.[cm]?[jt]sx?$/.test(name)) return 'a browser (cypress)';
  if (/\bDeno\.test\(/.test(text)) return 'Deno';
  return signs.find(([module]) => imports(text, module))?.[1] ?? null;
}

/** Whether Playwright runs the tests of a file. Tests of other runners import only `chromium` or `expect` from it. */
export function isPlaywrightTest(text: string): boolean {
  return /\btest\b[^;'"]{0,300}(?:\bfrom|=\s*require\()\s*['"]@playwright\/test['"]/.test(text);
}
