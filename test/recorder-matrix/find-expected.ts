import type { Analysis } from '../../engine/analysis.ts';
import { analyze } from '../../engine/analyze.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { milliseconds } from '../../protocol/units.ts';
import type { ExpectedFunction } from './setup.ts';
import { warningText } from '../../words/warnings/warning-text.ts';

export interface Findings {
  /** By their names, the functions that are not found as they should be, in words. */
  readonly missing: ReadonlyMap<string, string>;
  /** What the recording says of itself. */
  readonly warnings: readonly string[];
}

/** Looks in a recording of a program in `folder`. */
export async function findExpected(
  recording: string,
  folder: string,
  expected: readonly ExpectedFunction[],
): Promise<Findings> {
  const options = { thresholdUs: milliseconds(10), roots: [folder], sourceMaps: true };
  const result = await analyze([recording], diskWorld, options);
  if (result.type === 'failed') {
    const reason = JSON.stringify(result.failure);
    return { missing: new Map(expected.map(({ name }) => [name, `${name}: ${reason}`])), warnings: [] };
  }
  const missing = new Map(
    expected.flatMap((one) => {
      const why = whyMissing(one, result.analysis);
      return why === null ? [] : [[one.name, why]];
    }),
  );
  return { missing, warnings: result.analysis.warnings.map(warningText) };
}

/** It must be there with samples, at its line in its source, and never in the background where a runner started it. */
function whyMissing({ name, file, line }: ExpectedFunction, { functions, streams }: Analysis): string | null {
  const here = functions.functions.filter((fn) => fn.name === name);
  const sampled = here.filter(({ id }) => streams.some(({ tree }) => tree.functionId.includes(id)));
  if (sampled.length === 0) return name;
  const isAtPlace = sampled.some((fn) => file === '' || (fn.url.endsWith(file) && fn.line + 1 === line));
  if (!isAtPlace) return `${name} at its place: ${sampled.map((fn) => `${fn.url}:${fn.line + 1}`).join(', ')}`;
  const isGrey = streams.every(
    ({ tree, isolate }) =>
      isolate.threadKind === 'background' || !sampled.some(({ id }) => tree.functionId.includes(id)),
  );
  return isGrey && file !== '' ? `${name} in a thread that counts` : null;
}
