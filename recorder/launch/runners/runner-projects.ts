import path from 'node:path';
import { globMatcher } from '../packages/glob.ts';
import { jestProjects } from './jest-projects.ts';
import type { Package } from '../packages/packages.ts';
import type { Readers } from '../packages/readers.ts';
import { type RunnerFacts, runners, runnerWords, valueOf } from './runners.ts';
import type { TestProject } from './test-projects.ts';
import { configIn, vitestProjects } from './vitest-projects.ts';
import { splitWords } from '../npm-scripts/command-words.ts';
import type { ScriptPart } from '../npm-scripts/script-text.ts';

/** Where the tests of one command of a script run. */
interface PartRunsIn {
  /** What runs all tests instead of Node.js; null: Node.js does, or that is not known. */
  readonly foreign: string | null;
  /** The command's projects that something else than Node.js runs. */
  readonly foreignProjects: readonly TestProject[];
}

/** Finds out where the tests of a command run. A configuration of Vitest may name a browser. */
export async function runsIn(part: ScriptPart, from: Package, readers: Readers): Promise<PartRunsIn> {
  const facts = runners.find(({ runner }) => runner === part.runner);
  const args = facts === undefined ? null : (runnerWords(splitWords(part.text), facts)?.args ?? null);
  if (part.foreign !== null || facts?.runner !== 'vitest' || args === null)
    return { foreign: part.foreign, foreignProjects: [] };
  const chosen = (await projectsOf(facts, args, from, readers)).filter(chosenBy(args));
  const foreignProjects = chosen.filter((project) => project.runsIn !== 'Node.js');
  const [first] = foreignProjects;
  return foreignProjects.length === chosen.length && first !== undefined
    ? { foreign: `${first.runsIn} (vitest)`, foreignProjects: [] }
    : { foreign: null, foreignProjects };
}

/**
 * A filter for the projects that `--project a`, `--project=a*` and `--project '!b'` choose; it accepts all where there
 * is no such option.
 */
export function chosenBy(args: readonly string[]): (project: TestProject) => boolean {
  const patterns = args.flatMap((word, index) =>
    args[index - 1] === '--project' ? [word] : word.startsWith('--project=') ? [word.slice('--project='.length)] : [],
  );
  const matches = (pattern: string, { name }: TestProject): boolean =>
    name === null || globMatcher(pattern)?.(name) !== false;
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const unwanted = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return (project) =>
    (wanted.length === 0 || wanted.some((pattern) => matches(pattern, project))) &&
    !unwanted.some((pattern) => project.name !== null && matches(pattern, project));
}

/** The configuration that the runner reads when its command names none; null where there is none. */
export function usualConfig(facts: RunnerFacts, from: Package): string | null {
  if (facts.runner === 'vitest') return configIn(from.files);
  return from.files.find((name) => facts.configuration.test(name)) ?? null;
}

/**
 * The projects of a command, from the words after its runner's name. Runners other than Vitest and Jest have one
 * project, which may contain every file.
 */
export async function projectsOf(
  facts: RunnerFacts,
  args: readonly string[],
  from: Package,
  readers: Readers,
): Promise<readonly TestProject[]> {
  const root = valueOf(args, /^(-r|--root|--rootDir)$/);
  const folder = path.resolve(from.folder, root ?? '.');
  const named = valueOf(args, /^(-c|--config)$/) ?? (folder === from.folder ? usualConfig(facts, from) : null);
  const config = named === null ? null : path.resolve(folder, named);
  if (facts.runner === 'vitest') return vitestProjects(config, folder, readers);
  if (facts.runner !== 'jest') return [{ name: null, runsIn: 'Node.js', covers: () => null }];
  // The root of Jest is the folder of its configuration.
  return jestProjects(config, root === null && config !== null ? path.dirname(config) : folder, readers);
}
