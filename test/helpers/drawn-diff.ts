import assert from 'node:assert/strict';
import { DiffFlame } from '../../engine/diff-flame/diff-flame.ts';
import { type Diff, type DiffResult, readDiff } from '../../engine/diff-flame/read-diff.ts';
import type { FlameAnswer, FlameFrame } from '../../protocol/flame.ts';
import { recordingVersion } from '../../protocol/recording.ts';
import { microseconds, milliseconds } from '../../protocol/units.ts';
import { type DrawnProfile, drawnStart, drawProfile } from './drawn-profile.ts';
import { memoryWorld } from './memory-world.ts';

export interface DrawnDiffRun {
  readonly profile: string | DrawnProfile;
  /** Start and end of each turn, in ms from the first sample; without them operations are inferred. */
  readonly turns?: readonly (readonly [start: number, end: number])[];
  /** Facts of `recording.json` that are not as usual. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly nodeVersion?: string;
}

export interface DrawnDiffOptions {
  /** One side was recorded after the other. */
  readonly blocks?: boolean;
  /** Files on the disk, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

type Run = string | DrawnDiffRun;

/** What is read of drawn runs, which took turns where nothing else is said. */
export async function resultOf(
  base: readonly Run[],
  head: readonly Run[],
  { blocks = false, files = {} }: DrawnDiffOptions = {},
): Promise<DiffResult> {
  const all = { ...files };
  const add = (side: 'base' | 'head', runs: readonly Run[]): readonly (readonly string[])[] =>
    runs.map((run, number) => {
      const minute = (blocks ? (side === 'base' ? 0 : 30) : side === 'base' ? 0 : 0.5) + number;
      const startedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, minute * 60)).toISOString();
      Object.assign(
        all,
        recordingOf(`/${side}-${number + 1}`, typeof run === 'string' ? { profile: run } : run, startedAt),
      );
      return [`/${side}-${number + 1}`];
    });
  const sides = { base: add('base', base), head: add('head', head) };
  return readDiff(sides, memoryWorld(all), { thresholdUs: milliseconds(10) });
}

export async function diffOf(
  base: readonly Run[],
  head: readonly Run[],
  options: DrawnDiffOptions = {},
): Promise<{ readonly diff: Diff; readonly flame: DiffFlame; readonly idOf: (name: string) => number }> {
  const result = await resultOf(base, head, options);
  if (result.type !== 'read') return assert.fail(JSON.stringify(result));
  const { diff } = result;
  const idOf = (name: string): number =>
    diff.functions.findIndex(({ was, is }) => is?.label === name || was?.label === name);
  return { diff, flame: new DiffFlame(diff), idOf };
}

function recordingOf(
  folder: string,
  { profile, turns, manifest, nodeVersion = 'v20.0.0' }: DrawnDiffRun,
  startedAt: string,
): Readonly<Record<string, string>> {
  const drawn = typeof profile === 'string' ? drawProfile(profile) : profile;
  const facts = { version: recordingVersion, command: ['npm', 'test'], cwd: '/app', intervalUs: 1000, notes: [] };
  const isolate = '7-0-x';
  const start = { type: 'start', isolate, pid: 7, threadId: 0, ppid: 1, argv: ['node'], execArgv: [], nodeVersion };
  const at = (ms: number): number => drawnStart + ms * 1000;
  const events = [
    { ...start, at: microseconds(2_000_000) },
    { type: 'end', isolate, at: at(1000), reason: 'exit' },
  ];
  return {
    [`${folder}/recording.json`]: JSON.stringify({ ...facts, startedAt, ...manifest }),
    [`${folder}/events.jsonl`]: lines(events),
    [`${folder}/${isolate}.0.cpuprofile`]: JSON.stringify(drawn),
    ...(turns === undefined
      ? {}
      : { [`${folder}/${isolate}.turns.jsonl`]: lines(turns.map(([from, to]) => ['turn', at(from), at(to), -1])) }),
  };
}

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** One line a frame, two spaces a level: `name width was→is change`, times in ms. */
export function drawnDiff({ root }: FlameAnswer): readonly string[] {
  const ms = (us: number): string => String(Math.round(us) / 1000);
  const draw = ({ name, value, diff, children }: FlameFrame, level: number): readonly string[] => [
    `${'  '.repeat(level)}${name} ${ms(value)} ${ms(diff?.was.totalUs ?? 0)}→${ms(diff?.is.totalUs ?? 0)} ${diff?.change ?? '?'}`,
    ...children.flatMap((child) => draw(child, level + 1)),
  ];
  return draw(root, 0);
}
