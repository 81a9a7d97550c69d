import type { Analysis } from '../../engine/analysis.ts';
import { isBackground } from '../../engine/samples/sample-stream.ts';
import { toMilliseconds } from '../../protocol/units.ts';
import { exampleFolder, recorded, threshold } from './recorded.ts';
import { beside } from './spinners.ts';
import { total, variation } from './statistics.ts';
import { percent, printTable, share } from './table.ts';

/** Measures how many figures of the shop say "≈". */
export async function measureShop(node: string, spinners: readonly number[], runs: number): Promise<void> {
  const rows: (readonly string[])[] = [];
  for (const count of spinners) {
    const all = await beside(count, async () => recordOften('shop', node, runs));
    const functions = all.flatMap(({ figures }) => figures.flatMap(({ culprit }) => culprit ?? []));
    const lines = all.flatMap((analysis) => analysis.lines.filter((line) => line.decorated && !line.background));
    const estimatedLines = lines.filter((line) => line.estimated);
    const parts = all.flatMap(({ ownParts }) => [...ownParts]);
    rows.push([
      String(count),
      share(functions.filter(({ estimated }) => estimated).length, functions.length),
      share(estimatedLines.length, lines.length),
      share(parts.filter(({ estimated }) => estimated).length, parts.length),
    ]);
  }
  printTable([['spinners', '≈ of hot functions', '≈ of hot lines', '≈ of own parts'], ...rows]);
}

/** Measures how much is reported in code in which nothing is long. One row for each run. */
export async function measureHealthy(node: string, spinners: number, runs: number): Promise<void> {
  const all = await beside(spinners, async () => recordOften('healthy', node, runs));
  const rows = all.map((analysis, run) => {
    const { operations, streams } = analysis;
    const ownParts = [...analysis.ownParts];
    const onLoop = operations.filter(({ stream }) => !isBackground(streams[stream]));
    const certain = ownParts.filter(({ estimated }) => !estimated);
    const app = ownParts.filter((part) => analysis.functions.functions[part.functionId]?.role === 'app');
    return [
      String(run + 1),
      ...[ownParts, certain, app, app.filter(({ estimated }) => !estimated)].map(({ length }) => String(length)),
      String(onLoop.filter(({ held }) => isLong(held)).length),
      String(longTurns(analysis)),
    ];
  });
  const head = ['run', 'own parts', 'certain', 'not of tests', 'certain', 'long operations', 'long turns by the clock'];
  printTable([head, ...rows]);
}

/** Counts by the clock, including turns that are no operations because their thread hardly had a processor. */
function longTurns({ streams }: Analysis): number {
  const turns = streams.flatMap((stream) => (isBackground(stream) ? [] : (stream.turns ?? [])));
  return total(turns.map(({ starts, ends }) => starts.filter((at, turn) => isLong((ends[turn] ?? at) - at)).length));
}

function isLong(us: number): boolean {
  return us > 1000 * threshold;
}

/** Measures how much the worst of one function differs between runs, with a load that differs between runs. */
export async function measureSpread(node: string, spinners: readonly number[], runs: number): Promise<void> {
  const rows: { readonly spinners: number; readonly held: number; readonly clock: number }[] = [];
  for (let run = 0; run < runs; run += 1) {
    const count = spinners[run % spinners.length] ?? 0;
    const [analysis] = await beside(count, async () => recordOften('shop', node, 1));
    const fn = analysis?.functions.functions.find(({ name, own }) => own && name === 'snapshot');
    const worst = analysis?.figures[fn?.id ?? -1]?.presence.worst;
    if (analysis === undefined || fn === undefined || worst === undefined) throw new Error('The shop has no snapshot.');
    rows.push({ spinners: count, held: toMilliseconds(worst), clock: worstByClock(analysis, fn.id) / 1000 });
  }
  const text = rows.map((row) => [row.spinners, row.held.toFixed(1), row.clock.toFixed(1)].map(String));
  const [held, clock] = [rows.map((row) => row.held), rows.map((row) => row.clock)];
  printTable([
    ['spinners', 'worst of snapshot (ms)', 'by the clock'],
    ...text,
    ['variation', percent(variation(held)), percent(variation(clock))],
  ]);
}

/** The longest time that a function held a loop in one operation, by the clock, in µs. */
function worstByClock(analysis: Analysis, functionId: number): number {
  const presences = analysis.operations.map(({ stream: number, start, end, firstSample, lastSample }) => {
    const stream = analysis.streams[number];
    const nodes = analysis.bridged[number]?.nodes;
    if (stream === undefined || nodes === undefined) return 0;
    const { times, tree } = stream;
    const isOn = (node: number): boolean => {
      for (let at = node; at > 0; at = tree.parent[at] ?? 0) if (tree.functionId[at] === functionId) return true;
      return false;
    };
    let clock = 0;
    for (let sample = firstSample; sample < lastSample; sample += 1) {
      const from = sample === firstSample ? start : (times.at(sample) ?? end);
      const to = sample + 1 === lastSample ? end : (times.at(sample + 1) ?? end);
      if (isOn(nodes[sample] ?? 0)) clock += to - from;
    }
    return clock;
  });
  return Math.max(0, ...presences);
}

async function recordOften(example: string, node: string, runs: number): Promise<readonly Analysis[]> {
  const folder = exampleFolder(example);
  const all: Analysis[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await recorded(['npm', 'test'], folder, node));
  return all;
}
