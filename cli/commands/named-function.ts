import type { Failure } from '../../protocol/failure.ts';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { KnownCode, knownCodeIn } from '../../engine/compare/compare-recordings.ts';
import {
  findInSide,
  functionMeant,
  type FunctionQuery,
  functionsAround,
  type MeantFunction,
  placesOf,
} from '../../engine/compare/find-function.ts';
import { fileBelow, type SideFunction } from '../../engine/compare/side.ts';
import { projectAround } from '../../engine/read/functions/find-workspace.ts';
import type { ComparedFunction } from '../../protocol/comparison.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { foldersOfProject } from '../../recordings/newest-of-project.ts';
import { shellText } from '../../words/formats/command-text.ts';
import { plural, withLine } from '../../words/formats/figures.ts';
import { nearest } from '../arguments/command.ts';
import type { RecheckArguments } from '../arguments/recheck-arguments.ts';
import { pathRulesOf } from '../arguments/shared-options.ts';
import type { Surroundings } from '../views/terminal.ts';

/** What a typed place or name means, seen from a folder; else from one above it, as results name it. */
export async function queryOf(typed: string, cwd: string): Promise<FunctionQuery | Failure> {
  const places = placesOf(typed);
  const seen = foldersOfProject(cwd).flatMap((folder) => places.map((place) => ({ folder, ...place })));
  for (const { folder, file: named, line } of seen) {
    const file = path.resolve(folder, named);
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) continue;
    return { type: 'place', file, line, text };
  }
  const [place] = places;
  return place === undefined
    ? { type: 'name', name: typed }
    : {
        type: 'failed',
        message: `${place.file} cannot be read: name a file as it is called from here, or a function.`,
      };
}

/**
 * The query with the recorded text of its file, and with today's texts of the files that changed since the recording: the
 * function may have been in one of them. Its file is below the root, unless another folder was recorded than that of `cwd`.
 */
export async function withChangedFiles(
  query: FunctionQuery,
  { files, roots, keptText }: Pick<KnownCode, 'files' | 'roots' | 'keptText'>,
  cwd: string,
): Promise<FunctionQuery> {
  if (query.type === 'name') return query;
  const changed = new Map<string, string | null>();
  for (const file of files) {
    const now = await readFile(file, 'utf8').catch(() => null);
    if (now !== ((await keptText(file)) ?? now)) changed.set(fileBelow(file, roots), now);
  }
  const real = await realpath(query.file);
  const recorded = await keptText(real);
  const project = await projectAround(cwd, diskWorld);
  const isOfProject = roots.length === 0 || roots.includes(project);
  const file = isOfProject ? fileBelow(real, [project]) : query.file;
  return { ...query, file, changed, recorded: recorded === query.text ? null : recorded };
}

/** The function of a recording that a query means; undefined for a place of code that it has not seen. */
export function functionIn(
  functions: readonly SideFunction[],
  query: FunctionQuery,
  typed: string,
  thresholdUs: number,
): ({ readonly type: 'found' } & MeantFunction) | Failure {
  if (query.type === 'place') {
    const meant = functionMeant(query, functions, thresholdUs);
    return meant.fn === undefined && isOutside(query, functions)
      ? { type: 'failed', message: `${typed} is in no function: name a line inside of one, or its name.` }
      : { type: 'found', ...meant };
  }
  const found = findInSide(query, functions);
  const [fn, ...others] = found;
  if (others.length > 0) return { type: 'failed', message: severalOf(typed, found) };
  return fn === undefined && functions.length > 0
    ? { type: 'failed', message: unknownName(typed, functions) }
    : { type: 'found', fn, query, other: null };
}

/** Whether a place is outside of the file, or of all functions where the file itself was not seen to run for long. */
function isOutside(place: Parameters<typeof functionsAround>[0], known: readonly SideFunction[]): boolean {
  const around = functionsAround(place).flat();
  return around.length === 0 || (known.length > 0 && around.every(({ number }) => number === 0));
}

/** What was typed, for a line with the name of the function there. */
export function typedName(query: FunctionQuery, typed: string, fn: SideFunction | undefined): string {
  const titles =
    query.type === 'place' ? functionsAround(query).flatMap((group) => group.map(({ title }) => title)) : [];
  const name = fn?.place.label ?? titles.find((title) => title !== null) ?? typed;
  return name === typed ? typed : `${name}, ${typed}`;
}

/** Says which function is at a typed line now, and how to name the `other` one, which was there in the recording. */
export function twoFunctionsText(typed: string, fn: SideFunction | undefined, { place }: SideFunction): string {
  const command = shellText(['hotspan', 'recheck', place.label]);
  return `${typed} is in ${fn?.place.label ?? 'another function'} now, and was in ${place.label} when it was recorded: for that, ${command}.`;
}

export function severalOf(asked: string, found: readonly (SideFunction | ComparedFunction)[]): string {
  const places = found.flatMap((one) => ('place' in one ? one.place : (one.is ?? one.was ?? [])));
  const named = places.slice(0, 3).map(({ file, line }) => withLine(file, line));
  const more = places.length > 3 ? ', …' : '';
  return `${asked} names ${plural(found.length, 'function')}: give one by its line (${named.join(', ')}${more}).`;
}

function unknownName(asked: string, functions: readonly SideFunction[]): string {
  const meant = nearest(asked, [...new Set(functions.map(({ place }) => place.label))]);
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  return `No function that ran is called ${asked}.${hint} One by its line is always found: "hotspan recheck src/cart.ts:12".`;
}

/** How to read the recordings of a re-check. */
export function readingOptions(
  { thresholdUs, maps }: Pick<RecheckArguments, 'thresholdUs' | 'maps'>,
  { cwd }: Surroundings,
): Parameters<typeof knownCodeIn>[2] {
  return { thresholdUs, currentFolder: cwd, pathRules: pathRulesOf(maps, cwd) };
}
