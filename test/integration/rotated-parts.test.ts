import assert from 'node:assert/strict';
import inspector from 'node:inspector';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Analysis } from '../../engine/analysis.ts';
import { milliseconds } from '../../protocol/units.ts';
import { startProfiler } from '../../recorder/preload/profile/profiler.ts';
import { assertNone } from '../helpers/assert-each.ts';
import { memoryWorld } from '../helpers/memory-world.ts';
import { analyzedIn } from '../helpers/analyzed.ts';
import { threadRun } from '../helpers/thread-run.ts';

const rotations = 60;

/**
 * V8's sampler feeds all its running profiles, so the whole tells what the parts can hold. A sample that V8 has not
 * entered yet when a part ends is in no part: the one before lasts longer.
 */
test('rotated parts hold the samples of the whole, in order and none besides', async () => {
  const { parts, whole } = await profileInParts();
  const joined = await analysisOf(parts);
  const once = await analysisOf({ '/rec/7-0-x.0.cpuprofile': whole });
  const [stream, all] = [joined.streams[0] ?? assert.fail(), once.streams[0] ?? assert.fail()];
  assert.equal(Object.keys(parts).length, rotations + 1);
  assert.ok(all.times.length > rotations / 2, `${all.times.length} samples`);
  const [from = 0, to = 0] = [all.times.at(0), all.times.last];
  const inside = [...stream.times].filter((time) => time >= from && time <= to);
  const known = new Set(all.times);
  assertNone(inside, (time) => !known.has(time));
  const sorted = inside.toSorted((a, b) => a - b);
  assert.deepEqual(inside, sorted);
  const twice = inside.length - new Set(inside).size;
  assert.ok(twice <= rotations, 'only what ends a part and begins the next has one time');
  assertNone(joined.warnings, ({ type }) => type !== 'lateSamples', 'a part without samples is nothing to speak of');
  const others = Object.entries(parts).filter(([name]) => !name.includes('.1.'));
  const { warnings } = await analysisOf(Object.fromEntries(others));
  assert.ok(warnings.some(({ type }) => type === 'partMissing'));
});

async function profileInParts(): Promise<{ readonly parts: Readonly<Record<string, string>>; readonly whole: string }> {
  const parts: Record<string, string> = {};
  const profiler = startProfiler(
    { ...threadRun({ directory: '/rec', isolate: '7-0-x' }), intervalUs: milliseconds(0.5) },
    {
      write: (name, text) => {
        parts[`/rec/${name}`] = text;
        return true;
      },
      append: () => true,
      event: () => undefined,
      isLost: () => false,
      writeBy: () => undefined,
      close: () => undefined,
      isClosed: () => false,
    },
  );
  let whole = '';
  profiler.session()?.on('Profiler.consoleProfileFinished', ({ params }) => {
    if (params.title === 'whole') whole = JSON.stringify(params.profile);
  });
  inspector.console.profile('whole');
  for (let round = 0; round < rotations; round++) {
    work();
    await setImmediate();
    profiler.rotate();
  }
  inspector.console.profileEnd('whole');
  profiler.stop();
  return { parts, whole };
}

/** Work of a few ms, with collections and native code. */
function work(): number {
  const rows = Array.from({ length: 4000 }, (_, number) => ({ number, name: `row ${number}` }));
  return JSON.stringify(rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))).length;
}

async function analysisOf(files: Readonly<Record<string, string>>): Promise<Analysis> {
  const world = memoryWorld({ '/rec/recording.json': '{}', ...files });
  return (await analyzedIn(world, { roots: [] })).analysis;
}
