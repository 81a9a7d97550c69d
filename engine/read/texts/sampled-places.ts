import { column0, line0, toLine1, type Line1 } from '../../../protocol/units.ts';
import { groupBy } from '../../basics/lists.ts';
import { filePathOf } from '../files/file-path.ts';
import { MAX_NAMED_BYTES, readText, type World } from '../files/world.ts';
import type { CpuProfile, ProfileFrame, ProfileTicks } from '../samples/cpu-profile.ts';
import { indexSource } from '../source-code/index-source.ts';
import { isBefore, type SourceFunction } from '../source-code/source-index.ts';
import { sourceTokens } from '../source-code/source-tokens.ts';
import { headOf, lastName, mayHaveRun } from './find-functions.ts';

/**
 * Converts sample positions in call frames to V8's form: the frame has the start of its function, and ticks have the lines.
 * Bun before 1.3.13 writes sample positions, counted from 1. A file is converted only if each position lies in a function
 * of the frame's name.
 */
export async function withFunctionPlaces(profile: CpuProfile, world: World): Promise<CpuProfile> {
  const frames = [...profile.frames];
  const lines = new Map<number, Line1>();
  const byFile = groupBy(frames.keys(), (number) => filePathOf(frames[number]?.url ?? ''));
  for (const [path, numbers] of byFile) {
    const text = path === null ? null : await readText(path, world, MAX_NAMED_BYTES.text);
    if (path === null || text === null) continue;
    const given = numbers.flatMap((number) => frames[number] ?? []);
    const found = functionsOf(given, profile.isOfBun === true, path, text);
    const url = given.find((frame) => frame.url.startsWith('file:'))?.url ?? path;
    for (const [index, { line, ...place }] of found?.entries() ?? []) {
      const [number, frame] = [numbers[index] ?? -1, given[index]];
      if (frame === undefined) continue;
      frames[number] = { ...frame, ...place.begin, url };
      if (line !== null) lines.set(number, line);
    }
  }
  return lines.size === 0 ? profile : { ...profile, frames, ticks: ticksOf(profile, lines) };
}

/** The start of a frame's function, and the line of the sample; null where it is unknown. */
interface SampledPlace {
  readonly begin: Pick<ProfileFrame, 'line' | 'column'>;
  readonly line: Line1 | null;
}

/** Null if a position lies outside this text or in a function of another name. */
function functionsOf(
  given: readonly ProfileFrame[],
  isOfBun: boolean,
  path: string,
  text: string,
): readonly SampledPlace[] | null {
  const starts = given.map(({ functionName: name, line, column }) => ({
    name,
    line: line0(line),
    column: column0(column),
  }));
  const index = mayHaveRun(text, starts) ? null : indexSource(text, path);
  if (index === null) return null;
  const tokens = sourceTokens(text, path);
  const first = isOfBun ? 1 : 0;
  const found: SampledPlace[] = [];
  const seen = new Set<SourceFunction>();
  for (const frame of given) {
    const fn = functionOf(frame, first, index.functions);
    if (fn === null) return null;
    const { line, column } = fn.kind === 'module' ? bodyBegin : headOf(fn, tokens);
    found.push({ begin: { line, column }, line: frame.line < 0 ? null : toLine1(line0(frame.line - first)) });
    seen.add(fn);
  }
  return isOfBun || seen.size < found.length ? found : null;
}

const bodyBegin = { line: line0(0), column: column0(0) };

/** The innermost function around the place that has this name; without a place, the only one of it. */
function functionOf(
  { functionName, line, column }: ProfileFrame,
  first: 0 | 1,
  functions: readonly SourceFunction[],
): SourceFunction | null {
  const name = lastName(functionName);
  if (line < 0) {
    const [named, ...others] = functions.filter((fn) => nameOf(fn) === name);
    return named === undefined || others.length > 0 ? null : named;
  }
  const place = { line: line - first + 1, column: column - first };
  if (line < first || place.line > (functions[0]?.end.line ?? 0)) return null;
  const around = functions.filter(
    (fn) => fn.kind === 'module' || (!isBefore(place, fn.start) && isBefore(place, fn.end)),
  );
  const innermost = around.at(-1);
  const isNameless = innermost !== undefined && nameOf(innermost) === '';
  return around.findLast((fn) => name !== '' && nameOf(fn) === name) ?? (isNameless ? innermost : null);
}

function nameOf({ kind, title }: SourceFunction): string {
  return kind !== 'function' || title === null || title.includes(' ') ? '' : lastName(title);
}

/** A tick for each sample. */
function ticksOf({ nodes, frame, parent }: CpuProfile, lines: ReadonlyMap<number, Line1>): ProfileTicks {
  const hits = new Int32Array(parent.length);
  for (const node of nodes) if (node >= 0) hits[node] = (hits[node] ?? 0) + 1;
  const start = new Int32Array(parent.length + 1);
  const line: number[] = [];
  const count: number[] = [];
  for (const [node, samples] of hits.entries()) {
    const at = lines.get(frame[node] ?? -1);
    if (at !== undefined && samples > 0) {
      line.push(at);
      count.push(samples);
    }
    start[node + 1] = line.length;
  }
  return { start, line: Int32Array.from(line), count: Int32Array.from(count) };
}
