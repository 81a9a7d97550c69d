import assert from 'node:assert/strict';
import { test } from 'node:test';
import { milliseconds } from '../../../../protocol/units.ts';
import { drawLog } from '../../../helpers/drawn-log.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';
import { ownText, seenLinesOf } from '../../../../engine/judge/lines/line-shares.ts';
import { analyzedIn } from '../../../helpers/analyzed.ts';

/** `main` calls `f1`, that `f2` and so on; each at its own address and on the line of its number, the first at `main`'s. */
const names = ['main', ...Array.from({ length: 140 }, (_, number) => `f${number + 1}`)];
const addressOf = (depth: number): number => 0x10000 + depth * 0x100;

/** A tick in the innermost function; the outermost `cut` frames are missing. */
function tick(cut: number): string {
  const frames = names.slice(cut).map((_, frame) => (addressOf(cut + frame) + 1).toString(16));
  return `tick ${frames.toReversed().join(' ')}`;
}

test('the lines of a stack that was cut short count at the callers that it was given', async () => {
  const code = names.map((name, depth) => `~ ${name} ${addressOf(depth).toString(16)} 100 C0O${depth * 10}`);
  const short = `tick ${(addressOf(1) + 1).toString(16)} ${(addressOf(0) + 1).toString(16)}`;
  const places = Object.fromEntries(names.map((name, depth) => [name, [depth * 10, depth + 1, 1] as const]));
  const log = drawLog([...code, short, tick(0), tick(20), tick(20), tick(0)].join('\n'), places);
  const world = memoryWorld({ '/logs/a.v8.log': log });
  const { analysis } = await analyzedIn(world, { thresholdUs: milliseconds(1) }, ['/logs/a.v8.log']);
  const [stream] = analysis.streams;
  if (stream === undefined) return assert.fail();
  const leaf = stream.nodes[1] ?? -1;
  const seen = seenLinesOf(stream, { firstSample: 0, lastSample: 5 }, new Set([leaf]));
  assert.deepEqual(
    seen
      ?.get(leaf)
      ?.get(ownText)
      ?.ticks.map(({ line, count }) => [line, count]),
    [[141, 4]],
  );
});
