import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { testedVersions } from '../../test/helpers/node-versions.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { program, recording, ownLinesOf, turnLinesOf } from '../../test/integration/recorder/recorded.ts';

interface Turn {
  readonly start: number;
  readonly end: number;
}

interface Measured {
  readonly truth: readonly TrueTurn[];
  readonly turns: readonly Turn[];
}

interface TrueTurn extends Turn {
  readonly name: string;
}

for (const { node, version } of testedVersions()) {
  for (const place of ['main thread', 'worker']) {
    test(`turns are what the program's own clock says, in a ${place} (Node ${version})`, async (t) => {
      assert.deepEqual(await alwaysMistaken(t, node, place), []);
    });
  }
}

/**
 * The scenarios in which a measured turn is not the true one, each time, five times at the most: now and then another
 * process has the processor between two looks at a clock.
 */
async function alwaysMistaken(t: test.TestContext, node: string, place: string, times = 5): Promise<readonly string[]> {
  const { truth, turns } = await measured(t, node, place);
  const mistaken = mistakes(truth, turns);
  if (times === 1 || mistaken.length === 0) return mistaken;
  const again = await alwaysMistaken(t, node, place, times - 1);
  const scenarioOf = (mistake: string): string => mistake.replace(/:.*/, '');
  return again.filter((mistake) => mistaken.some((other) => scenarioOf(other) === scenarioOf(mistake)));
}

async function measured(t: test.TestContext, node: string, place: string): Promise<Measured> {
  const folder = program(t, {});
  copyFileSync(projectFile('test/fixtures/turns/scenarios.cjs'), path.join(folder, 'scenarios.cjs'));
  const { ended, directory } = recording(folder, [node, 'scenarios.cjs', place, folder]);
  const { exitCode, stderr } = await ended;
  assert.deepEqual([exitCode, stderr], [0, '']);
  const json: unknown = JSON.parse(readFileSync(path.join(folder, 'truth.json'), 'utf8'));
  const truth = Array.isArray(json) ? json.filter(isTrueTurn) : [];
  assert.ok(truth.length > 80, `${truth.length} turns`);
  const own = ownLinesOf(directory);
  const turns = turnLinesOf(directory).map(([, start, end]) => {
    const work = own.filter(([, from, to]) => from >= start && to <= end);
    return { start, end: work.reduce((last, [, from, to]) => last - (to - from), end) };
  });
  return { truth, turns };
}

/** Each true turn must be one measured turn, as long as it, which holds no other one. */
function mistakes(truth: readonly TrueTurn[], turns: readonly Turn[]): readonly string[] {
  return truth.flatMap((one) => {
    const found = turns.filter((turn) => overlaps(turn, one));
    const [turn] = found;
    if (turn === undefined || found.length > 1) return [`${one.name}: ${found.length} turns`];
    const others = truth.filter((other) => other !== one && overlaps(turn, other));
    if (others.length > 0) return [`${one.name}: one turn with ${others.length} others`];
    const [before, after] = [one.start - turn.start, turn.end - one.end];
    const isClose = before >= -100 && before < tolerance && after >= -tolerance && after < tolerance;
    return isClose ? [] : [`${one.name}: begins ${before} µs before, ends ${after} µs after`];
  });
}

/** In µs. What is asked of a clock costs time too, and so does what a turn does before and after. */
const tolerance = 2_000;

/** By more than what lies between two looks at a clock. */
function overlaps(a: Turn, b: Turn): boolean {
  return Math.min(a.end, b.end) - Math.max(a.start, b.start) > 200;
}

function isTrueTurn(value: unknown): value is TrueTurn {
  return typeof value === 'object' && value !== null && 'name' in value && 'start' in value && 'end' in value;
}
