import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawLog } from '../../../helpers/drawn-log.ts';
import { hotspotsIn } from '../../../helpers/drawn-hotspots.ts';

/** Numbers below `below`, the same for each seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const markers = { '~': 'ignitionUs', '^': 'sparkplugUs', '+': 'maglevUs', '*': 'turbofanUs' } as const;
type Key = (typeof markers)[keyof typeof markers];

/**
 * The rule, said once more: a tick in JavaScript counts for its innermost frame of JavaScript, for as long as it lasts, at the
 * tier of the code that ran that frame; an inlined frame has the tier of its host's.
 */
function expected(ticks: readonly Tick[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { state, frames } of ticks) {
    const innermost = frames.find(({ name }) => name !== null);
    if (state !== 'js' || innermost === undefined) continue;
    const key = `${innermost.name} ${markers[innermost.marker]}`;
    sums.set(key, (sums.get(key) ?? 0) + 1000);
  }
  return sums;
}

interface Tick {
  readonly state: 'js' | 'gc' | 'parser' | 'external';
  /** Innermost first; null: a built-in. */
  readonly frames: readonly { readonly name: string | null; readonly marker: keyof typeof markers }[];
}

/** Code of four functions in each tier; in the optimized code of the last two stands the first one, inlined behind byte 50. */
const names = ['four', 'three', 'two', 'one'];
const kinds = ['~', '^', '+', '*'] as const;
const codes = names.flatMap((name, fn) =>
  kinds.map((marker, kind) => ({
    name,
    marker,
    address: 0x10000 * (fn + 1) + 0x1000 * kind,
    inlines: fn > 1 && kind > 1,
  })),
);
const created = codes.map(({ name, marker, address, inlines }) => {
  const positions = inlines ? 'C0O20C50O5I0 F0O25 four' : '';
  return `${marker} ${name} ${address.toString(16)} 256 ${positions}`;
});

function randomTick(random: (below: number) => number): { readonly row: string; readonly tick: Tick } {
  const stack = Array.from({ length: 1 + random(4) }, () => ({
    code: codes[random(codes.length)],
    isInlined: random(2) === 1,
  }));
  const builtIn = random(3) === 0 && stack.length > 0;
  const state = (['js', 'js', 'js', 'gc', 'parser', 'external'] as const)[random(6)] ?? 'js';
  const frames = stack.flatMap(({ code, isInlined }): Tick['frames'] => {
    if (code === undefined) return [];
    const own = { name: code.name, marker: code.marker };
    return code.inlines && isInlined ? [{ name: 'four', marker: code.marker }, own] : [own];
  });
  const addresses = stack.map(({ code, isInlined }) => ((code?.address ?? 0) + (isInlined ? 60 : 10)).toString(16));
  const all = builtIn ? ['90010', ...addresses] : addresses;
  return {
    row: `${state === 'js' ? 'tick' : `tick:${state}`} ${all.join(' ')}`,
    tick: { state, frames: builtIn ? [{ name: null, marker: '~' }, ...frames] : frames },
  };
}

for (let seed = 1; seed <= 20; seed++) {
  test(`times by tier of random ticks are what the rule says (${seed})`, async () => {
    const random = randomOf(seed);
    const ticks = Array.from({ length: 200 }, () => randomTick(random));
    const rows = [...created, 'builtin 90000 100', ...ticks.map(({ row }) => row), 'tick:idle 9999'];
    const { report } = await hotspotsIn({ '/rec/v8.log': drawLog(rows.join('\n')) });
    const found = report.functions.flatMap(({ name, tiers }) => {
      const times = Object.values(markers).map((key: Key) => [`${name} ${key}`, tiers?.[key] ?? 0] as const);
      return times.filter(([, time]) => time > 0);
    });
    const sorted = (entries: Iterable<readonly [string, number]>) =>
      [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
    assert.deepEqual(sorted(found), sorted(expected(ticks.map(({ tick }) => tick))));
  });
}
