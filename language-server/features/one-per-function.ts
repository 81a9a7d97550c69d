import { byWeight, type Weight } from '../../protocol/summary.ts';
import type { Metric } from '../../protocol/requests.ts';
import type { AnnotatedFunction, AnnotatedImport } from '../queries/file-annotations.ts';
import type { Placed, PlacedLine, PlacedResult } from './placed-file.ts';

/**
 * Leaves one figure for each function of a file. Of several results, in this order:
 *
 * - one that ran the present text wins over those that ran older texts, even where it was not slow;
 * - of older texts the newest result wins;
 * - else the worst figure wins: a run of one test does not hide what the whole suite found.
 *
 * A lost function that another result places is left out. Equal figures are the newest result's. A single result stays as it is.
 */
export function onePerFunction(results: readonly PlacedResult[], metric: Metric): readonly PlacedResult[] {
  if (results.length < 2) return results;
  const lists = results.map(({ file, codeOf }, index) => {
    const outdated = outdatedLines(results, index);
    const isOutdated = ({ stale, line }: Placed<unknown>['place']): boolean => stale && outdated.has(line);
    return { file, codeOf, index, isOutdated };
  });
  const functions = firsts(
    lists.flatMap(({ file, codeOf, index, isOutdated }) =>
      file.functions
        .filter(({ place }) => !isOutdated(place))
        .map((fn) => functionClaim(fn, index, metric, isMeasured(results[index], fn) ? null : codeOf)),
    ),
  );
  const lines = firsts(
    lists.flatMap(({ file, index }) =>
      file.lines.filter(({ owner }) => owner === null).map((line) => lineClaim(line, index)),
    ),
  );
  const imports = firsts(lists.flatMap(({ file, index }) => file.imports.map((item) => importClaim(item, index))));
  return results.map(({ file, ...one }, index) => {
    const isOutdated = lists[index]?.isOutdated ?? (() => false);
    const stays = (fn: Placed<AnnotatedFunction>): boolean =>
      !isOutdated(fn.place) && functions.get(keyOfFunction(fn)) === index;
    return {
      ...one,
      file: {
        ...file,
        functions: file.functions.filter(stays),
        lost: lostEverywhere(results, index),
        lines: file.lines.filter(({ line, owner }) => (owner === null ? lines.get(`${line}`) === index : stays(owner))),
        quiet: file.quiet.filter(({ place }) => !isOutdated(place)),
        imports: file.imports.filter((item) => imports.get(keyOfImport(item)) === index),
      },
    };
  });
}

/** Functions of a result that were not found in the file, and that no other result places. */
function lostEverywhere(results: readonly PlacedResult[], index: number): PlacedResult['file']['lost'] {
  const others = results.filter((_, number) => number !== index).flatMap(({ file }) => file.functions);
  const placed = new Set(others.map(({ item }) => item.label));
  return results[index]?.file.lost.filter(({ label }) => !placed.has(label)) ?? [];
}

/** Lines of functions whose current text another result has run; computed only if a function is stale. */
function outdatedLines(results: readonly PlacedResult[], index: number): ReadonlySet<number> {
  const file = results[index]?.file;
  const isAny = [...(file?.functions ?? []), ...(file?.quiet ?? [])].some(({ place }) => place.stale);
  if (!isAny) return new Set();
  return new Set(results.flatMap((other, number) => (number === index ? [] : [...other.present()])));
}

/** A figure for something that only one result may show. */
interface Claim extends Weight {
  readonly key: string;
  /** Index of the result. */
  readonly index: number;
  /** True for an older text, and below the threshold: any other figure wins. */
  readonly isWeak: boolean;
  /** The measured code, where it is not the current one; else `''`. */
  readonly ranText: string;
}

function firsts(claims: readonly Claim[]): ReadonlyMap<string, number> {
  const best = new Map<string, Claim>();
  for (const claim of claims) {
    const known = best.get(claim.key);
    if (known === undefined || isBefore(claim, known)) best.set(claim.key, claim);
  }
  return new Map([...best].map(([key, { index }]) => [key, index]));
}

function isBefore(a: Claim, b: Claim): boolean {
  if (a.isWeak !== b.isWeak) return b.isWeak;
  return a.ranText === b.ranText ? byWeight(a, b) < 0 : a.index < b.index;
}

/** `codeOf`: null where the figure is of the present text, whatever was recorded. */
function functionClaim(
  fn: Placed<AnnotatedFunction>,
  index: number,
  metric: Metric,
  codeOf: PlacedResult['codeOf'] | null,
): Claim {
  const { item, place } = fn;
  const us = metric === 'total' ? item.totalUs : item.worstUs;
  const isOld = place.stale && codeOf !== null;
  const ranText = isOld ? codeOf(item.extent) : '';
  return { key: keyOfFunction(fn), index, tone: item.tone, us, isWeak: isOld || item.kept, ranText };
}

/** Whether a re-check has measured the present text. */
function isMeasured(result: PlacedResult | undefined, { item }: Placed<AnnotatedFunction>): boolean {
  return result?.changes.get(item.functionId)?.type === 'done';
}

/** A line outside of the file's functions. */
function lineClaim({ item, line }: PlacedLine, index: number): Claim {
  const { tone = 'plain', kept = false, changed = false } = item.elsewhere ?? {};
  return { key: `${line}`, index, tone, us: item.worstUs, isWeak: kept || changed, ranText: '' };
}

function importClaim(item: AnnotatedImport, index: number): Claim {
  return { key: keyOfImport(item), index, tone: 'plain', us: item.worstUs, isWeak: false, ranText: '' };
}

/** A function is the same in two results if its current line and its name are. */
export function keyOfFunction({ item, place }: Placed<AnnotatedFunction>): string {
  return `${place.line} ${item.extent.name}`;
}

function keyOfImport({ line, package: blamed }: AnnotatedImport): string {
  return `${line} ${blamed?.name ?? ''}`;
}
