import fc from 'fast-check';
import { callFrameOf } from '../../test/helpers/drawn-profile.ts';
import { type GeneratedTurn, generatedTests, generatedTurns, testLineAt, turnLineOf } from './generated-turns.ts';
import { type GeneratedWaits, generatedWaits, waitLinesOf } from './generated-waits.ts';
import type { PlainNode, PlainProfile } from './plain-profile.ts';
import type { TestLine, WaitLine } from '../../protocol/recording-lines.ts';

export interface GeneratedRecording {
  /** Text of `recording.json`. */
  readonly intervalUs: number;
  readonly isolates: readonly GeneratedIsolate[];
}

/** A stack, outermost first, and the µs before its sample. `walk@2` is `walk` of another script. */
interface Sampled {
  readonly stack: readonly string[];
  readonly delta: number;
}

/** What one isolate leaves. Times in µs. */
export interface GeneratedIsolate {
  readonly samples: readonly Sampled[];
  readonly lastUs: number;
  /** From the first sample; null: inferred. */
  readonly turns: readonly GeneratedTurn[] | null;
  /** Null: nobody read them. */
  readonly waits: GeneratedWaits | null;
  /** From the first sample; null: no runner said anything. */
  readonly tests: readonly TestLine[] | null;
  readonly kind: 'main' | 'pool' | 'background';
  readonly isKilled: boolean;
  /** The CPU clock moves in steps of so many µs; null: nothing says so. */
  readonly clock: number | null;
  /** When all turns had been written, from the end of the last one; null: nothing says so. */
  readonly marked: number | null;
  /** Positions where the recorder rotated: the samples from there on are in the next part. */
  readonly rotations: readonly number[];
}

const frames = [
  ...['parse', 'render', 'walk', 'walk@2', 'lib.ts#walk', 'test#case', 'cart.ts#<module>', 'lib.ts#<module>'],
  ...['bcryptjs#hash', 'qs#parse', 'qs#<module>', 'mocha#run', 'jest-runtime#require', 'tsx#load'],
  ...['piscina#run', 'tinypool#run'],
  ...[
    'node:internal/modules/cjs#load',
    'node:fs#read',
    'native#now',
    'native#writeUtf8String',
    'node:fs#readFileSync',
    'node:child_process#execSync',
    'node:zlib#gzipSync',
    'cart.ts#readFileSync',
    'file:///elsewhere/tool.js#run',
    'vite/dist/node/module-runner.js#run',
  ],
];
const shallow = fc.array(fc.constantFrom(...frames), { minLength: 1, maxLength: 7 });
const meta = fc.constantFrom(['(idle)'], ['(gc)'], ['(gc)'], ['(program)'], ['(program)'], ['(root)']);

/** A recursion of over 100 frames of which V8 lost the outermost ones. */
const deep = fc
  .record({
    entry: fc.constantFrom('parse', 'render'),
    cut: fc.constantFrom(0, 0, 1, 3, 9, 40),
    size: fc.constantFrom(96, 101, 130, 150),
    ways: fc.constantFrom(['walk'], ['visit', 'walk', 'each'], ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']),
    leaf: shallow,
  })
  .map(({ entry, cut, size, ways, leaf }) => {
    const inner = Array.from({ length: size }, (_, depth) => ways[depth % ways.length] ?? entry);
    return [entry, 'start', ...inner, ...leaf].slice(cut);
  });

const stack = fc.oneof(
  { weight: 12, arbitrary: shallow },
  { weight: 5, arbitrary: meta },
  { weight: 1, arbitrary: deep },
);
const delta = fc.constantFrom(0, 1, 500, 1000, 1000, 1000, 1000, 1250, 3000, 12_000, 130_000, -700, -2500);
/** The same stack again and again is what real profiles are made of. */
const run = fc.tuple(stack, fc.array(delta, { minLength: 1, maxLength: 4 }), fc.nat(20)).map(runOf);
/** One that another interrupts again and again. */
const pieces = fc
  .record({
    one: shallow,
    other: stack,
    more: fc.nat(5),
    times: fc.integer({ min: 4, max: 24 }),
    every: fc.constantFrom(500, 1000),
  })
  .map(({ one, other, more, times, every }) => {
    const stacks = [...Array.from({ length: more + 1 }, () => one), other];
    return Array.from({ length: times }, () => stacks.map((its): Sampled => ({ stack: its, delta: every }))).flat();
  });
const samples = fc
  .array(fc.oneof({ weight: 8, arbitrary: run }, { weight: 1, arbitrary: pieces }), { minLength: 1, maxLength: 24 })
  .map((runs) => runs.flat());

/** Now and then with one sample of which V8 kept the innermost frame alone. */
function runOf([one, deltas, lone]: readonly [
  stack: readonly string[],
  deltas: readonly number[],
  lone: number,
]): readonly Sampled[] {
  return deltas.map((before, at) => ({ stack: at === lone ? one.slice(-1) : one, delta: before }));
}

const isolate: fc.Arbitrary<GeneratedIsolate> = fc.record({
  samples,
  lastUs: fc.constantFrom(0, 1000, 2500, -300),
  turns: fc.option(generatedTurns, { nil: null }),
  waits: fc.option(generatedWaits, { nil: null, freq: 3 }),
  tests: fc.option(generatedTests, { nil: null, freq: 2 }),
  kind: fc.constantFrom('main', 'main', 'main', 'pool', 'background'),
  isKilled: fc.constantFrom(false, false, false, true),
  clock: fc.constantFrom(null, null, 0, 1000, 15_625),
  marked: fc.constantFrom(null, 0, 0.5, 3000.3),
  rotations: fc.array(fc.nat(20), { maxLength: 2 }),
});
export const generatedRecording: fc.Arbitrary<GeneratedRecording> = fc.record({
  intervalUs: fc.constantFrom(1000, 1000, 400),
  isolates: fc.array(isolate, { minLength: 1, maxLength: 3 }),
});

/** In µs. */
const firstSampleAt = 2_050_000;

/** Its files, by name. */
export function filesOf({ intervalUs, isolates }: GeneratedRecording): Readonly<Record<string, string>> {
  const named = isolates.map((one, number) => ({ one, pid: 7 + number, thread: one.kind === 'main' ? 0 : 1 }));
  const events = named.flatMap(({ one, pid, thread }) => eventsOf(one, pid, thread));
  return {
    'recording.json': JSON.stringify({ version: 2, command: ['node', 'app.js'], cwd: '/app', intervalUs, notes: [] }),
    'events.jsonl': jsonLines(events),
    ...Object.fromEntries(named.flatMap(({ one, pid, thread }) => isolateFiles(one, `${pid}-${thread}-x`))),
  };
}

function isolateFiles(one: GeneratedIsolate, name: string): readonly (readonly [string, string])[] {
  const { turns, waits, tests, marked, clock } = one;
  const profiles = profilesOf(one).map(
    (profile, part) => [`${name}.${part}.cpuprofile`, JSON.stringify(profile)] as const,
  );
  const turnLines = turns?.map((turn) => turnLineOf(turn, at));
  for (const [start, end] of turns?.flatMap((turn) => turn.works) ?? []) turnLines?.push(['own', at(start), at(end)]);
  if (clock !== null) turnLines?.push(['clock', clock]);
  if (marked !== null) turnLines?.push(['mark', at((turns?.at(-1)?.end ?? 0) + marked)]);
  const waitLines = waits === null ? undefined : waitLinesOf(waits, turns ?? []).map(waitLineAt);
  const testLines = tests?.map((line) => testLineAt(line, at));
  return [
    ...profiles,
    ...(turnLines === undefined ? [] : [[`${name}.turns.jsonl`, jsonLines(turnLines)] as const]),
    ...(waitLines === undefined ? [] : [[`${name}.waits.jsonl`, jsonLines(waitLines)] as const]),
    ...(testLines === undefined ? [] : [[`${name}.tests.jsonl`, jsonLines(testLines)] as const]),
  ];
}

const at = (time: number): number => firstSampleAt + time;

function waitLineAt([before, time, wait]: WaitLine): WaitLine {
  return [at(before), at(time), wait];
}

function eventsOf({ kind, isKilled }: GeneratedIsolate, pid: number, threadId: number): readonly unknown[] {
  const isolate = `${pid}-${threadId}-x`;
  const start = { type: 'start', isolate, pid, threadId, ppid: 1, argv: ['node', 'app.js'], execArgv: [], at: 0 };
  const worker = { type: 'worker', pid, threadId, kind };
  const end = { type: 'end', isolate, at: 9e9, reason: 'exit' };
  return [...(kind === 'main' ? [] : [worker]), { ...start, nodeVersion: 'v20.0.0' }, ...(isKilled ? [] : [end])];
}

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** The rotated parts of one isolate. */
function profilesOf({ samples: all, lastUs, rotations }: GeneratedIsolate): readonly PlainProfile[] {
  const cuts = [...new Set([0, ...rotations.filter((at) => at < all.length), all.length])].toSorted((a, b) => a - b);
  let now = firstSampleAt;
  return cuts.slice(1).map((to, part) => {
    const inside = all.slice(cuts[part], to);
    const startTime = now - 50_000;
    const timeDeltas = inside.map((sample, index) => (index === 0 ? 50_000 : sample.delta));
    now += timeDeltas.slice(1).reduce((sum, one) => sum + one, 0);
    const endTime = now + lastUs;
    now = Math.max(now, endTime) + (all[to]?.delta ?? 0);
    return { ...nodesOf(inside.map(({ stack: one }) => one)), startTime, endTime, timeDeltas };
  });
}

function nodesOf(stacks: readonly (readonly string[])[]): Pick<PlainProfile, 'nodes' | 'samples'> {
  const root = nodeOf('(root)', 1);
  const nodes = [root];
  const known = new Map<string, (typeof nodes)[number]>();
  const leaves = stacks.map((frames_) => {
    let at = root;
    let path = '';
    for (const frame of frames_[0] === '(root)' ? [] : frames_) {
      path += ` ${frame}`;
      const made = known.get(path) ?? nodeOf(frame, nodes.length * 3 + 1);
      if (!known.has(path)) {
        known.set(path, made);
        nodes.push(made);
        at.children.push(made.id);
      }
      at = made;
    }
    return at.id;
  });
  return { nodes, samples: leaves };
}

function nodeOf(frame: string, id: number): PlainNode & { readonly children: number[] } {
  const [name = '', script = '1'] = frame.replace(/^@/, '\0').split('@');
  return { id, callFrame: { ...callFrameOf(name.replace('\0', '@')), scriptId: script }, children: [] };
}
