import type { Analysis } from '../../engine/analysis.ts';
import { groupBy } from '../../engine/basics/lists.ts';
import { metaNodes } from '../../engine/read/samples/call-tree.ts';
import { threadNames } from '../../words/thread-names.ts';
import type { ExportedPart, ExportFrame, ExportTexts } from './export-rows.ts';
import { exportRows, exportedOperation, exportFrames, framesOf } from './export-rows.ts';

/** Stacks and their held time in whole µs, a line each: `main app.js:1;parse src/parse.js:3 1200`. For flamegraph.pl. */
export function* foldedOf(analysis: Analysis, part: ExportedPart, texts: ExportTexts): Generator<string, void> {
  const names = exportFrames(analysis, texts).map(foldedName);
  for (const { stream, node, heldUs } of exportRows(analysis, part)) {
    const us = Math.round(heldUs);
    const stack = framesOf(analysis, stream, node).toReversed();
    if (us > 0) yield `${stack.map((frame) => names[frame] ?? '').join(';')} ${us}\n`;
  }
}

function foldedName({ name, file, line }: ExportFrame): string {
  const place = line === 0 ? file : `${file}:${line}`;
  return `${name}${file === '' ? '' : ` ${place}`}`.replaceAll(/[;\s]+/g, ' ');
}

/** A file of speedscope: a profile for each thread, with the held time of each stack, not in the order of time. */
export function* speedscopeOf(analysis: Analysis, part: ExportedPart, texts: ExportTexts): Generator<string, void> {
  const frames = exportFrames(analysis, texts).map(({ name, file, line }) => {
    return { name, ...(file === '' ? {} : { file }), ...(line === 0 ? {} : { line }) };
  });
  const rows = groupBy(exportRows(analysis, part), ({ stream }) => stream);
  const profiles = [...rows].map(([, own]) => {
    const weights = own.map(({ heldUs }) => Math.round(heldUs));
    return {
      type: 'sampled',
      name: texts.name(own[0]?.labels.thread ?? ''),
      unit: 'microseconds',
      startValue: 0,
      endValue: weights.reduce((sum, us) => sum + us, 0),
      samples: own.map(({ stream, node }) => framesOf(analysis, stream, node).toReversed()),
      weights,
    };
  });
  const $schema = 'https://www.speedscope.app/file-format-schema.json';
  yield JSON.stringify({ $schema, shared: { frames }, profiles, name: texts.title ?? 'hotspan', exporter: 'hotspan' });
}

/** The thread of a `.cpuprofile`, which has one: that of the operation, else the busiest. `others`: how many are left out. */
export function exportedThread(
  analysis: Analysis,
  part: ExportedPart,
): { readonly stream: number; readonly name: string; readonly others: number } {
  const sums = new Map<number, number>();
  for (const { stream, heldUs } of exportRows(analysis, part)) sums.set(stream, (sums.get(stream) ?? 0) + heldUs);
  const [[stream, others] = [0, 0]] = [...sums]
    .toSorted(([, a], [, b]) => b - a)
    .map(([number]) => [number, sums.size - 1] as const);
  return { stream, name: threadNames(analysis.streams)[stream]?.name ?? '', others };
}

/** V8's own format, for Chrome, VS Code and Firefox: the samples of one thread by the clock, with places in the sources. */
export function* cpuprofileOf(analysis: Analysis, part: ExportedPart, texts: ExportTexts): Generator<string, void> {
  const { stream } = exportedThread(analysis, part);
  const sampled = analysis.streams[stream];
  const nodes = analysis.bridged[stream]?.nodes;
  if (sampled === undefined || nodes === undefined) return;
  const operation = exportedOperation(analysis, part);
  const [first, end] = [operation?.firstSample ?? 0, operation?.lastSample ?? nodes.length];
  const startTime = sampled.times.at(first) ?? 0;
  yield `{"nodes":${JSON.stringify(profileNodes(analysis, stream, texts))},"startTime":${startTime},`;
  yield `"endTime":${operation?.end ?? sampled.end},"samples":[`;
  yield* numbersOf(first, end, (sample) => (nodes[sample] ?? 0) + 1);
  yield '],"timeDeltas":[';
  yield* numbersOf(first, end, (sample) =>
    sample === first ? 0 : (sampled.times.at(sample) ?? 0) - (sampled.times.at(sample - 1) ?? 0),
  );
  yield ']}\n';
}

/** In pieces: an hour has millions. */
function* numbersOf(first: number, end: number, valueOf: (sample: number) => number): Generator<string, void> {
  for (let from = first; from < end; from += PIECE) {
    const values = Array.from({ length: Math.min(PIECE, end - from) }, (_, index) => valueOf(from + index));
    yield `${from === first ? '' : ','}${values.join(',')}`;
  }
}

const PIECE = 10_000;

/** The nodes of a thread's tree; a node's id is one more than its number. */
function profileNodes(analysis: Analysis, stream: number, texts: ExportTexts): readonly object[] {
  const tree = analysis.streams[stream]?.tree;
  const frames = exportFrames(analysis, texts);
  const { functions } = analysis.functions;
  const children = new Map<number, number[]>();
  for (let node = 1; node < (tree?.size ?? 0); node++) {
    const above = tree?.parent[node] ?? 0;
    const own = children.get(above) ?? [];
    own.push(node + 1);
    children.set(above, own);
  }
  return Array.from({ length: tree?.size ?? 0 }, (_, node) => {
    const id = tree?.functionId[node] ?? -1;
    const { name, file, line } = frames[id] ?? { name: metaNames[node] ?? '', file: '', line: 0 };
    const place = { url: file, lineNumber: line - 1, columnNumber: functions[id]?.column ?? -1 };
    return {
      id: node + 1,
      callFrame: { functionName: name, scriptId: '0', ...place },
      children: children.get(node) ?? [],
    };
  });
}

const metaNames: Readonly<Record<number, string>> = {
  [metaNodes.root]: '(root)',
  [metaNodes.program]: '(program)',
  [metaNodes.idle]: '(idle)',
  [metaNodes.gc]: '(garbage collector)',
};
