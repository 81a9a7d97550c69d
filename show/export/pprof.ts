import {
  Function as ProfiledFunction,
  Label,
  Line,
  Location,
  Mapping,
  Profile,
  type ProfileInput,
  Sample,
  StringTable,
  ValueType,
} from 'pprof-format';
import type { Analysis } from '../../engine/analysis.ts';
import { startOf } from '../../engine/read/samples/sample-stream.ts';
import type { ExportedPart, ExportRow, LeafLines, ExportFrame, ExportTexts } from './export-rows.ts';
import { exportRows, exportedOperation, exportFrames, framesOf } from './export-rows.ts';

/**
 * The profile of Google's pprof, not compressed: `samples`, `held` and `wall` of each stack, with the labels `thread`, `test`
 * and `route`. V8 has no lines of calls, so only innermost frames have the line that ran; all others that of their function.
 * Source: proto/profile.proto of google/pprof.
 */
export function pprofOf(analysis: Analysis, part: ExportedPart, texts: ExportTexts, linesOf: LeafLines): Uint8Array {
  const strings = new StringTable();
  const frames = exportFrames(analysis, texts);
  const places = new Places(frames, strings);
  const samples: Sample[] = [];
  for (const row of exportRows(analysis, part)) {
    const [leaf = 0, ...callers] = framesOf(analysis, row.stream, row.node);
    const above = callers.map((frame) => places.of(frame, frames[frame]?.line ?? 0));
    const label = labelsOf(row, strings, texts);
    for (const { line, values } of byLine(row, linesOf, frames[leaf]?.line ?? 0))
      samples.push(new Sample({ locationId: [places.of(leaf, line), ...above], value: values, label }));
  }
  const { locations, functions } = places;
  const head = headOf(analysis, part, texts, strings);
  return new Profile({
    ...head,
    sample: samples,
    location: locations,
    function: functions,
    stringTable: strings,
  }).encode();
}

/** What the values mean, and when they were recorded. */
function headOf(analysis: Analysis, part: ExportedPart, { title }: ExportTexts, strings: StringTable): ProfileInput {
  const { streams, recording } = analysis;
  const type = (name: string, unit: string): ValueType =>
    new ValueType({ type: strings.dedup(name), unit: strings.dedup(unit) });
  const filename = strings.dedup('node');
  const startedMs = recording.startedAt === null ? Number.NaN : Date.parse(recording.startedAt);
  const operation = exportedOperation(analysis, part);
  const spans =
    operation === null ? streams.map((stream) => ({ start: startOf(stream), end: stream.end })) : [operation];
  const longest = spans.reduce((most, { start, end }) => Math.max(most, end - start), 0);
  return {
    sampleType: [type('samples', 'count'), type('held', 'nanoseconds'), type('wall', 'nanoseconds')],
    mapping: [new Mapping({ id: 1, filename, hasFunctions: true, hasFilenames: true, hasLineNumbers: true })],
    timeNanos: Number.isNaN(startedMs) ? 0n : BigInt(startedMs) * 1_000_000n,
    durationNanos: nanoseconds(longest),
    periodType: type('wall', 'nanoseconds'),
    period: nanoseconds(streams[0]?.interval ?? 0),
    defaultSampleType: strings.dedup('held'),
    comment: title === null ? [] : [strings.dedup(title)],
  };
}

/** The places of frames, and their functions: those that have a sample, each once. */
class Places {
  readonly locations: Location[] = [];
  readonly functions: ProfiledFunction[] = [];
  readonly #frames: readonly ExportFrame[];
  readonly #strings: StringTable;
  readonly #ids = new Map<string, number>();
  readonly #functionIds = new Map<number, number>();

  constructor(frames: readonly ExportFrame[], strings: StringTable) {
    this.#frames = frames;
    this.#strings = strings;
  }

  of(frame: number, line: number): number {
    const key = `${frame}:${line}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.locations.length + 1;
    const functionId = this.#functionIds.get(frame) ?? this.#addFunction(frame);
    this.locations.push(new Location({ id, mappingId: 1, line: [new Line({ functionId, line })] }));
    this.#ids.set(key, id);
    return id;
  }

  #addFunction(frame: number): number {
    const { name, file, line } = this.#frames[frame] ?? { name: '', file: '', line: 0 };
    const id = this.functions.length + 1;
    const [named, filename] = [this.#strings.dedup(name), this.#strings.dedup(file)];
    // With a system name of the same text, pprof would read it as C++, and take what is in parentheses out of it.
    this.functions.push(new ProfiledFunction({ id, name: named, filename, startLine: line }));
    this.#functionIds.set(frame, id);
    return id;
  }
}

function labelsOf({ labels: { thread, test, routes } }: ExportRow, strings: StringTable, texts: ExportTexts): Label[] {
  const label = (key: string, text: string): Label => new Label({ key: strings.dedup(key), str: strings.dedup(text) });
  return [
    label('thread', texts.name(thread)),
    ...(test === null ? [] : [label('test', texts.name(test))]),
    ...routes.map((route) => label('route', texts.route(route))),
  ];
}

/** The values of a row on the lines of its innermost frame: whole numbers of at least 0, with the sum of the row. */
function byLine(
  { stream, node, samples, heldUs, wallUs }: ExportRow,
  linesOf: LeafLines,
  functionLine: number,
): readonly { readonly line: number; readonly values: bigint[] }[] {
  const lines = linesOf(stream, node);
  const shares = lines.length === 0 ? [{ line: functionLine, share: 1 }] : lines;
  const all = [samples, heldUs * 1000, wallUs * 1000].map(Math.round);
  let [before, given] = [0, all.map(() => 0)];
  return shares.map(({ line, share }, number) => {
    before = number === shares.length - 1 ? 1 : before + share;
    const sums = all.map((value) => Math.round(value * Math.min(1, before)));
    const values = sums.map((sum, index) => BigInt(sum - (given[index] ?? 0)));
    given = sums;
    return { line, values };
  });
}

function nanoseconds(us: number): bigint {
  return BigInt(Math.round(us * 1000));
}
