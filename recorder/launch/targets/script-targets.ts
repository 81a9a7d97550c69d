import { runScript, type Package, findPackages } from '../packages/packages.ts';
import type { Readers } from '../packages/readers.ts';
import { readScript, type ScriptText } from '../npm-scripts/script-text.ts';
import { type TargetsFound, descriptionOf, relativeFolder, type Target, unchanged } from '../target.ts';
import { type RunnerFacts, factsOf, runnerCommand, plainArguments, runnerWords } from '../runners/runners.ts';

/** Every script of every package of a workspace folder, in the order of the package.json. */
export async function scriptTargets(workspace: string, readers: Readers): Promise<TargetsFound> {
  const packages = await findPackages(workspace, readers);
  const targets = packages.flatMap((one) =>
    Object.entries(one.scripts).map(([name, text]) => {
      const { runner, isOrchestrator } = readScript(text, one.scripts);
      return {
        ...{ id: `${relativeFolder(one.folder, workspace)}#script:${name}`, kind: 'script' as const, runner },
        label: name,
        description: descriptionOf(one.folder, workspace, text),
        folder: one.folder,
        command: runScript(one.manager, name),
        script: wholeText(one, name),
        ...unchanged,
        isOrchestrator,
      };
    }),
  );
  if (targets.length > 0) return { type: 'found', targets };
  const message =
    packages.length === 0
      ? `There is no package.json in ${workspace}.`
      : `package.json in ${workspace} has no scripts.`;
  return { type: 'none', message: `${message} Add a script, or profile a file.` };
}

/** What the package's manager may run for a script, with its `pre` and `post` scripts. */
export function wholeText({ scripts }: Package, name: string): string {
  return [scripts[`pre${name}`], scripts[name], scripts[`post${name}`]]
    .filter((text) => text !== undefined)
    .join(' && ');
}

/** The script that a test script calls for all its tests, besides other commands (`eslint && npm run test:unit`). */
export function innermostScript({ parts }: ScriptText): string | null {
  const tests = parts.filter(({ runner }) => runner !== null);
  const name = tests[0]?.via.findLast((one) => tests.every(({ via }) => via.includes(one))) ?? null;
  return name === null || parts.every(({ via }) => via.includes(name)) ? null : name;
}

/** Whether the inner script, run alone, tests the same: no variables, no arguments, and only checks before it. */
export function runsAlike(
  outer: { readonly name: string; readonly script: ScriptText },
  inner: string,
  { scripts }: Package,
): boolean {
  const tests = outer.script.parts.filter(({ runner }) => runner !== null);
  const first = outer.script.parts.findIndex(({ via }) => via.includes(inner));
  const via = tests[0]?.via ?? [];
  const chain = [outer.name, ...via.slice(0, via.indexOf(inner))].map((name) => scripts[name] ?? '');
  const own = new Set(readScript(scripts[inner] ?? '', scripts).parts.map(({ text }) => text));
  return (
    !chain.some((text) => /(^|\s)\w+=|\b(cross-env|cd)\s/.test(text)) &&
    tests.every(({ text }) => own.has(text)) &&
    outer.script.parts.slice(0, first).every(({ text }) => checksOnly.test(text))
  );
}

const checksOnly =
  /^(npx\s+)?(eslint|prettier|xo|standard|oxlint|oxfmt|biome|tslint|stylelint|knip|publint|tsc\s.*--noEmit|((npm|pnpm|yarn)\s+)(run\s+)?lint)\b/;

/**
 * The command that runs a script of tests once and without coverage: by arguments for its last command, else by running
 * its one command directly. Where neither works, the script runs with `CI=true`, and a note says that coverage is on.
 */
export async function scriptRun(
  from: Package,
  name: string,
  script: ScriptText,
  readers: Readers,
): Promise<Pick<Target, 'command' | 'env' | 'notes'>> {
  const watches = script.watches !== 'never';
  const hasCoverage = script.coverage !== 'none';
  if (!watches && !hasCoverage) return { command: runScript(from.manager, name), env: {}, notes: [] };
  const notes = [...(watches ? [onceNote] : []), ...(hasCoverage ? [coverageOffNote] : [])];
  const facts = factsOf(script.parts.at(-1)?.runner ?? null);
  const once = watches ? (facts?.stopWatching ?? null) : [];
  const noCoverage = script.coverage === 'runner' ? (facts?.noCoverage ?? null) : null;
  const bare = hasCoverage ? noCoverage : [];
  if (once !== null && bare !== null && script.passing !== null) {
    return { command: runScript(from.manager, name, [...script.passing, ...once, ...bare]), env: {}, notes };
  }
  const own = facts === null ? null : await ownCommand(from, name, script, facts, readers);
  if (own !== null) return { command: [...own, ...(once ?? [])], env: script.command?.env ?? {}, notes };
  return {
    command: runScript(from.manager, name),
    env: watches ? { CI: 'true' } : {},
    notes: [
      ...(watches ? [script.watches === 'by default' ? onceNote : watchNote] : []),
      ...(hasCoverage ? [coverageOnNote] : []),
    ],
  };
}

const onceNote = 'This would watch for changes: it runs once here.';
const watchNote = 'This goes on watching for changes when its tests are over: press Stop and Show, or Ctrl+C, then.';
const coverageOffNote = 'Coverage is off for this run: it makes hot code look hotter than it is.';
const coverageOnNote =
  'This runs with coverage, which makes hot code look hotter than it is: profile without it for true figures.';

/** The script's only command without its words for watching and coverage; null where there are several. */
async function ownCommand(
  from: Package,
  name: string,
  { command }: ScriptText,
  facts: RunnerFacts,
  readers: Readers,
): Promise<readonly string[] | null> {
  const words = command === null ? null : runnerWords(command.words, facts);
  if (words === null || from.scripts[`pre${name}`] !== undefined) return null;
  const runner = await runnerCommand(facts, from, readers, words.node);
  return runner === null ? null : [...runner, ...plainArguments(words.args, facts)];
}
