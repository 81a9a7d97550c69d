import type { Analysis } from '../../engine/analysis.ts';
import type { PlainFunction, PlainFunctions } from './plain-function.ts';
import type { PlainProfile } from './plain-profile.ts';

/**
 * Rule 16, as far as no source is needed: in how many samples each line of each function was executing, over all its
 * nodes. A sentence for each function in which the two differ. Samples of one node whose outer frames V8 lost may go
 * several ways, and nobody knows which of its lines goes which: each way then has them all, so there the engine may have
 * more.
 */
export function tickDifferences(
  { functions: { functions }, streams }: Pick<Analysis, 'functions' | 'streams'>,
  parts: readonly PlainProfile[],
  plain: PlainFunctions,
): readonly string[] {
  const mine = new Map<string, Map<number, number>>();
  for (const { tree } of streams) {
    const { start, line, count } = tree.ticks();
    for (let node = 0; node < tree.size; node++) {
      const fn = functions[tree.functionId[node] ?? -1];
      if (fn === undefined) continue;
      for (let entry = start[node] ?? 0; entry < (start[node + 1] ?? 0); entry++)
        add(mine, nameOf(fn), line[entry] ?? 0, count[entry] ?? 0);
    }
  }
  const theirs = new Map<string, Map<number, number>>();
  for (const { callFrame, positionTicks = [] } of parts.flatMap(({ nodes }) => nodes)) {
    const isMeta = callFrame.url === '' && callFrame.functionName.startsWith('(');
    for (const { line, ticks } of isMeta ? [] : positionTicks) add(theirs, nameOf(plain.of(callFrame)), line, ticks);
  }
  const isGrafted = streams.some(({ truncated }) => truncated.grafted > 0);
  return [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((name) => {
    const [engine, reference] = [shown(mine.get(name)), shown(theirs.get(name))];
    const isMore =
      isGrafted && linesIn(mine.get(name)) === linesIn(theirs.get(name)) && isAtLeast(mine.get(name), theirs.get(name));
    return engine === reference || isMore ? [] : [`lines of ${name}: engine ${engine}, reference ${reference}`];
  });
}

function add(sums: Map<string, Map<number, number>>, name: string, line: number, count: number): void {
  const lines = sums.get(name) ?? new Map<number, number>();
  sums.set(name, lines.set(line, (lines.get(line) ?? 0) + count));
}

function nameOf({ name, url, line, column }: Pick<PlainFunction, 'name' | 'url' | 'line' | 'column'>): string {
  return `${name} ${url}:${line}:${column}`;
}

type Lines = ReadonlyMap<number, number> | undefined;

function shown(lines: Lines): string {
  return JSON.stringify([...(lines ?? [])].filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b));
}

function linesIn(lines: Lines): string {
  return [...(lines?.keys() ?? [])].toSorted((a, b) => a - b).join(' ');
}

function isAtLeast(more: Lines, less: Lines): boolean {
  return [...(less ?? [])].every(([line, count]) => (more?.get(line) ?? 0) >= count);
}
