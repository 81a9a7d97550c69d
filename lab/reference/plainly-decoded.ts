import { SampleTimes } from '../../engine/read/samples/sample-times.ts';
import type { DecodedProfile, ProfileFrame, ProfileTicks } from '../../engine/read/samples/cpu-profile.ts';
import { type TimedSamples, parentsFirst } from '../../engine/read/import/cpuprofile/assemble-profile.ts';
import { isList, isRecord, numberOf, parseJson, textOf } from '../../protocol/json-value.ts';
import type { ProfileDamage } from '../../words/warnings/file-warnings.ts';

/** What the decoder must yield, by `JSON.parse` and plain objects. */
export function plainlyDecoded(text: string): DecodedProfile {
  if (text.trim() === '') return damaged('empty');
  const end = endOfJson(text);
  const isFollowed = end < text.length;
  const json = parseJson(text.slice(0, end));
  if (json === undefined) return damaged(isCutOff(text) ? 'cutOff' : 'notJson');
  // A heap snapshot has nodes and samples too: lists of numbers.
  if (!isRecord(json) || !isList(json['nodes']) || typeof json['nodes'][0] === 'number')
    return damaged(isFollowed ? 'notJson' : 'otherJson');
  const samples = json['samples'];
  const nodes = json['nodes'].filter(isRecord);
  if (!isList(samples) || samples.length === 0) return damaged(hasTotals(json['nodes']) ? 'totalsAlone' : 'noSamples');
  const index = indexById(nodes);
  if (index === null || nodes.length !== json['nodes'].length) return damaged('badNodes');
  const order = parentsFirst(parentsOf(nodes, index));
  if (order === null) return damaged('cycle');
  const isSpread = !isList(json['timeDeltas']) || json['timeDeltas'].length === 0;
  const timed = isSpread ? spreadTimes(json, samples.length) : sampleTimes(json);
  if (timed === null) return damaged('untimed');
  if (timed.defects.implausible >= timed.times.length) return damaged('noTimes');
  const { frames, frame } = framesOf(nodes, order.old);
  const { sampled, unknown } = nodesOf(samples, timed.order, index, order.renumbered);
  if (unknown === sampled.length) return damaged('noStacks');
  return {
    type: 'profile',
    profile: {
      parent: order.parent,
      frame,
      frames,
      ticks: ticksOf(nodes, order.old),
      nodes: sampled,
      times: timed.times,
      end: timed.end,
      defects: {
        unknownNodes: unknown,
        ...timed.defects,
        isSpread,
        isFollowed,
      },
    },
  };
}

type Json = Readonly<Record<string, unknown>>;

function damaged(damage: ProfileDamage): DecodedProfile {
  return { type: 'damaged', damage };
}

/** Where the value ends behind which something else stands; of a text that is whole, or none, where that ends. */
function endOfJson(text: string): number {
  try {
    JSON.parse(text);
  } catch (error) {
    const at = /after JSON at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    if (at !== undefined) return Number(at);
  }
  return text.length;
}

/** It begins as Node writes a profile, or as some other object whose end is missing. */
function isCutOff(text: string): boolean {
  return /^\s*\{\s*"nodes"/.test(text) || (/^\s*\{/.test(text) && !text.trimEnd().endsWith('}'));
}

/** Position in `nodes` by id; null where an id is missing or stands twice. */
function indexById(nodes: readonly Json[]): Map<number, number> | null {
  const index = new Map<number, number>();
  for (const [position, node] of nodes.entries()) {
    const id = node['id'];
    if (typeof id !== 'number' || !isRecord(node['callFrame'])) return null;
    index.set(id, position);
  }
  return index.size === nodes.length ? index : null;
}

/** Parent per node by `children`, else by `parent`; −1 where neither names one that is there. */
function parentsOf(nodes: readonly Json[], index: ReadonlyMap<number, number>): Int32Array {
  const parent = new Int32Array(nodes.length).fill(-1);
  for (const [position, node] of nodes.entries()) {
    const given = node['parent'];
    if (typeof given === 'number' && parent[position] === -1) parent[position] = index.get(given) ?? -1;
    if (!isList(node['children'])) continue;
    for (const id of node['children']) {
      const child = typeof id === 'number' ? index.get(id) : undefined;
      if (child !== undefined) parent[child] = position;
    }
  }
  return parent;
}

function framesOf(nodes: readonly Json[], old: Int32Array): { frames: ProfileFrame[]; frame: Int32Array } {
  const frames: ProfileFrame[] = [];
  const known = new Map<string, number>();
  const frame = old.map((position) => {
    const found = frameOf(nodes[position]?.['callFrame']);
    const key = `${found.line}:${found.column}:${found.functionName}\n${found.url}`;
    const number = known.get(key) ?? frames.push(found) - 1;
    known.set(key, number);
    return number;
  });
  return { frames, frame };
}

function frameOf(callFrame: unknown): ProfileFrame {
  const given = isRecord(callFrame) ? callFrame : {};
  return {
    functionName: textOf(given['functionName']),
    url: textOf(given['url']),
    line: positionOf(given['lineNumber']),
    column: positionOf(given['columnNumber']),
  };
}

/** 0-based; −1 where there is none that a file could have. */
function positionOf(value: unknown): number {
  const position = numberOf(value, -1);
  return Number.isInteger(position) && position >= 0 && position < 2 ** 31 - 1 ? position : -1;
}

function ticksOf(nodes: readonly Json[], old: Int32Array): ProfileTicks {
  const start = new Int32Array(old.length + 1);
  const lines: number[] = [];
  const counts: number[] = [];
  for (const [node, position] of old.entries()) {
    const ticks = nodes[position]?.['positionTicks'];
    for (const tick of isList(ticks) ? ticks.filter(isRecord) : []) {
      lines.push(Math.max(0, positionOf(tick['line'])));
      counts.push(numberOf(tick['ticks'], 0));
    }
    start[node + 1] = lines.length;
  }
  return { start, line: Int32Array.from(lines), count: Int32Array.from(counts) };
}

/** Node per sample in time order. */
function nodesOf(
  samples: readonly unknown[],
  order: Int32Array,
  index: ReadonlyMap<number, number>,
  renumbered: Int32Array,
): { sampled: Int32Array; unknown: number } {
  const sampled = order.map((position) => {
    const id = samples[position];
    const node = typeof id === 'number' ? index.get(id) : undefined;
    return node === undefined ? -1 : (renumbered[node] ?? -1);
  });
  return { sampled, unknown: sampled.reduce((count, node) => (node === -1 ? count + 1 : count), 0) };
}

type PlainlyTimed = Omit<TimedSamples, 'ids'> & { readonly order: Int32Array };

function hasTotals(nodes: readonly unknown[]): boolean {
  const isWhole = nodes.every(
    (node) => isRecord(node) && typeof node['id'] === 'number' && isRecord(node['callFrame']),
  );
  return isWhole && nodes.filter(isRecord).some(hasTicks);
}

function hasTicks({ positionTicks }: Json): boolean {
  return isList(positionTicks) && positionTicks.some((tick) => isRecord(tick) && numberOf(tick['ticks'], 0) > 0);
}

/** Samples without times, evenly from the start to the end. */
function spreadTimes(profile: Json, size: number): PlainlyTimed | null {
  const start = plausible(profile['startTime'], Number.NaN);
  const end = Math.round(plausible(profile['endTime'], Number.NaN));
  if (Number.isNaN(start) || Number.isNaN(end) || end <= start || end - start >= threeYears) return null;
  const order = Int32Array.from({ length: size }, (_, sample) => sample);
  const times = new SampleTimes(
    Float64Array.from(order, (sample) => Math.round(start + (sample * (end - start)) / size)),
  );
  return {
    times,
    order,
    end,
    defects: { untimed: 0, unpairedTimes: 0, unknownEnd: 0, implausible: 0, endsEarly: false },
  };
}

/**
 * When samples were taken: `timeDeltas[i]` is the time *before* sample `i`, the first one the profiler's own start-up.
 * Deltas can be negative: samples are sorted by time, those of one time as they stand in the file.
 */
function sampleTimes(profile: Json): PlainlyTimed {
  const deltas = isList(profile['timeDeltas']) ? profile['timeDeltas'] : [];
  const samples = isList(profile['samples']) ? profile['samples'].length : 0;
  const size = Math.min(deltas.length, samples);
  const unsorted = new Float64Array(size);
  const start = plausible(profile['startTime'], 0);
  let now = start;
  let implausible = 0;
  let isSorted = true;
  for (let sample = 0; sample < size; sample++) {
    const given = numberOf(deltas[sample], Number.NaN);
    const isPlausible = Math.abs(now + given - start) < threeYears;
    const delta = isPlausible ? given : 0;
    if (!isPlausible) implausible++;
    if (delta < 0 && sample > 0) isSorted = false;
    now += delta;
    unsorted[sample] = Math.round(now);
  }
  const order = Int32Array.from({ length: size }, (_, sample) => sample);
  if (!isSorted) order.sort((a, b) => (unsorted[a] ?? 0) - (unsorted[b] ?? 0));
  const times = Float64Array.from(order, (sample) => unsorted[sample] ?? 0);
  const last = times.at(-1) ?? 0;
  const named = Math.round(plausible(profile['endTime'], last));
  const whole = Math.abs(named - start) < threeYears ? named : last;
  const isPaired = deltas.length === samples;
  const gaps = times.slice(1).map((time, sample) => time - (times[sample] ?? 0));
  const usual = gaps.toSorted()[Math.floor(gaps.length / 2)] ?? 0;
  const end = isPaired ? whole : Math.min(whole, last + usual);
  return {
    times: new SampleTimes(times),
    order,
    end: Math.max(end, last),
    defects: {
      untimed: Math.max(0, samples - deltas.length),
      unpairedTimes: Math.max(0, deltas.length - samples),
      unknownEnd: whole - end,
      implausible,
      endsEarly: whole < last,
    },
  };
}

const threeYears = 1e14;

/** In µs; the other one where it is not a number, or more than a hundred years. */
function plausible(time: unknown, otherwise: number): number {
  const given = numberOf(time, otherwise);
  return Math.abs(given) < 3e15 ? given : otherwise;
}
