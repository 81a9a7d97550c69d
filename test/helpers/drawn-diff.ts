import assert from 'node:assert/strict';
import { DiffFlame } from '../../show/diff-flame/diff-flame.ts';
import { type Diff, type DiffResult, readDiff } from '../../show/diff-flame/read-diff.ts';
import type { FlameAnswer, FlameFrame } from '../../protocol/flame.ts';
import { milliseconds } from '../../protocol/units.ts';
import { type DrawnOptions, drawnRecording } from './drawn-hotspots.ts';
import type { DrawnProfile } from './drawn-profile.ts';
import { memoryWorld } from './memory-world.ts';

export interface DrawnDiffRun extends Pick<DrawnOptions, 'turns' | 'manifest' | 'nodeVersion'> {
  readonly profile: string | DrawnProfile;
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
      const { profile, manifest, ...options } = typeof run === 'string' ? { profile: run } : run;
      const facts = { command: ['npm', 'test'], startedAt, ...manifest };
      Object.assign(all, drawnRecording(`/${side}-${number + 1}`, profile, { ...options, manifest: facts }));
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

/** One line a frame, two spaces a level: `name width was→is change`, times in ms. */
export function drawnDiff({ root }: FlameAnswer): readonly string[] {
  const ms = (us: number): string => String(Math.round(us) / 1000);
  const draw = ({ name, value, diff, children }: FlameFrame, level: number): readonly string[] => [
    `${'  '.repeat(level)}${name} ${ms(value)} ${ms(diff?.was.totalUs ?? 0)}→${ms(diff?.is.totalUs ?? 0)} ${diff?.change ?? '?'}`,
    ...children.flatMap((child) => draw(child, level + 1)),
  ];
  return draw(root, 0);
}
