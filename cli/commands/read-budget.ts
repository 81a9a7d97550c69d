import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Budget } from '../../protocol/budget.ts';
import type { JsonPlaces } from '../../protocol/formats/json-places.ts';
import { parseBudget } from '../../protocol/formats/parse-budget.ts';
import { globMatcher } from '../../recorder/launch/packages/glob.ts';
import type { Failure } from '../../recorder/launch/pairs/git.ts';

export interface ReadBudget {
  readonly type: 'read';
  readonly budget: Budget;
  readonly places: JsonPlaces;
}

/** Reads a budget, by its path as typed. `none`: there is no such file. */
export async function readBudget(
  typed: string,
  cwd: string,
): Promise<ReadBudget | { readonly type: 'none' } | Failure> {
  const failed = (message: string): Failure => ({ type: 'failed', message });
  try {
    const parsed = parseBudget(await readFile(path.resolve(cwd, typed), 'utf8'));
    if (parsed.type === 'invalid') return failed(`${at(typed, parsed.line)} ${parsed.reason}.`);
    const { budget, places } = parsed;
    const strange = [...budget.files.keys()].find((pattern) => globMatcher(pattern) === null);
    if (strange === undefined) return { type: 'read', budget, places };
    const line = places.lineOf(['files', strange]);
    return failed(`${at(typed, line)} has a pattern that is not understood, "${strange}": write one such as "src/**".`);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { type: 'none' };
    return failed(`${typed} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function at(file: string, line: number | null): string {
  return line === null ? file : `${file}:${line}`;
}
