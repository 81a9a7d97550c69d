import path from 'node:path';
import { globMatcher } from '../packages/glob.ts';
import { type Literal, type LiteralObject, listIn, objectIn, withoutComments } from '../packages/literals.ts';
import type { Readers } from '../packages/readers.ts';
import { isInside } from '../target.ts';

/** A part of a runner's configuration with tests of its own. A configuration without such parts is one project. */
export interface TestProject {
  /** Its name for the runner; null where it has none or it is not known. */
  readonly name: string | null;
  /** Only Node.js can be profiled. */
  readonly runsIn: 'Node.js' | 'a browser' | 'workerd';
  /** Whether a file (absolute path) is one of its tests; null where the text of the configuration does not tell. */
  readonly covers: (file: string) => boolean | null;
}

/** Where the tests of a project run, for a sentence. */
export function placeOf({ runsIn, name }: TestProject): string {
  return name === null ? runsIn : `${runsIn} (project ${name})`;
}

/** For projects that the text of a configuration does not show. */
export const unknownProject: TestProject = { name: null, runsIn: 'Node.js', covers: () => null };

/** The text of a configuration (absolute path) without comments; empty where there is no such file. */
export async function readConfiguration(file: string, readers: Readers): Promise<string> {
  return withoutComments((await readers.readText(file)) ?? '');
}

/** The values of a setting that is a list or a single value; none where it is missing. */
export function valuesOf(settings: LiteralObject | null, key: string): readonly Literal[] {
  const value = settings?.get(key);
  return value === undefined ? [] : (listIn(value) ?? [value]);
}

/** The projects of a list in a configuration: a text is a pattern of files or folders, an object is a project. */
export async function projectsListed(
  entries: readonly Literal[],
  byPattern: (pattern: string) => Promise<readonly TestProject[]>,
  bySettings: (settings: LiteralObject) => TestProject | Promise<TestProject>,
): Promise<readonly TestProject[]> {
  const lists = entries.map(async (entry) => {
    if (typeof entry === 'string') return byPattern(entry);
    const settings = objectIn(entry);
    return [settings === null ? unknownProject : await bySettings(settings)];
  });
  return (await Promise.all(lists)).flat();
}

/** The projects of a configuration that a file needs. */
export type ProjectChoice =
  /** Null: all projects; the runner itself finds the file's. */
  | { readonly type: 'names'; readonly names: readonly string[] | null }
  /** No test of the file runs in Node.js. */
  | { readonly type: 'foreign'; readonly project: TestProject };

/** A test file is run in the projects that have it, any other file in all projects; both only in those of Node.js. */
export function chooseProjects(projects: readonly TestProject[], file: string, isTest: boolean): ProjectChoice {
  const answers = projects.map((project) => ({ project, covers: !isTest || project.covers(file) }));
  const covering = answers.filter(({ covers }) => covers === true).map(({ project }) => project);
  const wanted = covering.filter(({ runsIn }) => runsIn === 'Node.js');
  const [foreign] = covering;
  const isSure = answers.every(({ covers }) => covers !== null);
  if (foreign !== undefined && wanted.length === 0 && isSure) return { type: 'foreign', project: foreign };
  const names = wanted.map(({ name }) => name).filter((name) => name !== null);
  const isKnown = isSure && names.length === wanted.length && names.length > 0 && wanted.length < projects.length;
  return { type: 'names', names: isKnown ? names : null };
}

/** Whether a pattern matches a file, relative to `root` (`../b/*.ts`, too); null where one that might is unknown. */
export function matchesAny(patterns: readonly Literal[], root: string, file: string): boolean | null {
  const relative = path.relative(root, file).replaceAll('\\', '/');
  const answers = patterns.map((pattern) => {
    if (typeof pattern !== 'string') return null;
    if (!pattern.startsWith('..') && !isInside(file, root)) return false;
    return globMatcher(pattern)?.(relative) ?? null;
  });
  return anyOf(answers);
}

/** True where one answer is true, else null where one is unknown. */
export function anyOf(answers: readonly (boolean | null)[]): boolean | null {
  return answers.some((answer) => answer === true) ? true : answers.every((answer) => answer === false) ? false : null;
}
