import assert from 'node:assert/strict';
import { type AnalyzeOptions, type AnalyzeResult, analyze } from '../../engine/analyze.ts';
import type { World } from '../../engine/read/files/world.ts';
import { milliseconds } from '../../protocol/units.ts';
import { describeFailure } from '../../words/failures.ts';

type Analyzed = Extract<AnalyzeResult, { readonly type: 'analyzed' }>;

const usual = { thresholdUs: milliseconds(10), roots: ['/app'], sourceMaps: true };

/** What is analyzed of `/rec` of a world, or of other paths: over 10 ms, where nothing else is said. Fails with the reason. */
export async function analyzedIn(
  world: World,
  options: Partial<AnalyzeOptions> = {},
  paths: readonly string[] = ['/rec'],
): Promise<Analyzed> {
  const result = await analyze(paths, world, { ...usual, ...options });
  return result.type === 'analyzed' ? result : assert.fail(describeFailure(result.failure));
}

/** Why nothing is analyzed there, in a sentence; empty where something is. */
export async function failureIn(world: World, paths: readonly string[] = ['/rec']): Promise<string> {
  const result = await analyze(paths, world, usual);
  return result.type === 'failed' ? describeFailure(result.failure) : '';
}
