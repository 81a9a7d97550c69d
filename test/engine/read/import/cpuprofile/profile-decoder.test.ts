import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../helpers/drawn-cases.ts';
import type { DecodedProfile } from '../../../../../engine/read/samples/cpu-profile.ts';
import { createPlainReader } from '../../../../../engine/read/import/cpuprofile/plain-reader.ts';
import { ProfileDecoder } from '../../../../../engine/read/import/cpuprofile/profile-decoder.ts';
import { plainlyDecoded } from '../../../../../lab/reference/plainly-decoded.ts';

const runs = { numRuns: 400 };
/** Has read other profiles before, and nothing of them may be left. */
const used = createPlainReader();

test('a profile of any writer, in pieces of any size, is decoded as by JSON.parse', () => {
  fc.assert(
    fc.property(profileText(), fc.integer({ min: 1, max: 400 }), (text, size) => {
      assert.deepEqual(told(decoded(text, size)), told(plainlyDecoded(text)));
    }),
    runs,
  );
});

test('WebAssembly and plain TypeScript decode the same', () => {
  fc.assert(
    fc.property(profileText(), fc.integer({ min: 1, max: 400 }), (text, size) => {
      assert.deepEqual(told(decoded(text, size)), told(decoded(text, size, null)));
    }),
    runs,
  );
});

test('a profile that is cut or scratched anywhere gets the same sentence', () => {
  const scratch = fc.tuple(
    profileText(),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.constantFrom('', '}', ',', 'x'),
  );
  fc.assert(
    fc.property(scratch, fc.integer({ min: 1, max: 400 }), ([text, share, instead], size) => {
      const cut = text.slice(0, text.length * share) + instead;
      assert.deepEqual(told(decoded(cut, size)), told(plainlyDecoded(cut)));
    }),
    runs,
  );
});

test('where the pieces of a cut profile end makes no difference to its sentence', () => {
  for (const cut of ['{"nodes"}', '{"nodes":}', '{"nodes":[}', '{"nodes}'])
    for (const size of [1, 2, 5, 400])
      assert.deepEqual(told(decoded(cut, size)), told(plainlyDecoded(cut)), `${cut} by ${size}`);
});

test('times before the start, or far behind it, are those of JSON.parse', () => {
  for (const timeDeltas of [
    [5, -9, 3, 1],
    [2e9, 2e9, 2e9, 7],
    [9, -4, 2e9, 2e9, 2e9, -8],
  ]) {
    const nodes = [{ id: 1, callFrame: { functionName: 'f', url: 'a.js', lineNumber: 0, columnNumber: 0 } }];
    const samples = timeDeltas.map(() => 1);
    const text = JSON.stringify({ nodes, samples, timeDeltas, startTime: 10, endTime: 7e9 });
    assert.deepEqual(told(decoded(text, 400)), told(plainlyDecoded(text)), String(timeDeltas));
  }
});

function decoded(text: string, size: number, plain = used): DecodedProfile {
  const decoder = new ProfileDecoder(plain);
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) decoder.push(bytes.slice(at, at + size));
  return decoder.finish();
}

/** The result with its samples as lists, whatever width they have. */
function told(result: DecodedProfile) {
  if (result.type === 'damaged') return result;
  const { nodes, times, end } = result.profile;
  return { ...result.profile, nodes: [...nodes], times: [...times], end: end + 0 }; // And −0 is 0.
}

function profileText(): fc.Arbitrary<string> {
  const id = fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 0, max: 12 }) },
    fc.constantFrom(2 ** 16 - 1, 2 ** 16, 70_000, 2 ** 31, 2 ** 40, 1.5, -3),
  );
  const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(null));
  const number = fc.oneof(fc.integer({ min: -5, max: 3000 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
  const loose = (value: fc.Arbitrary<unknown>) => fc.oneof({ weight: 30, arbitrary: value }, odd);
  const name = fc.oneof(fc.constantFrom('a', 'b', ''), fc.string({ unit: 'grapheme', maxLength: 6 }));
  const callFrame = keysOf({
    functionName: loose(name),
    scriptId: loose(fc.constant('7')),
    url: loose(name),
    lineNumber: loose(number),
    columnNumber: loose(number),
  });
  const tick = keysOf({ line: loose(number), ticks: loose(fc.nat(9)) });
  const node = keysOf({
    callFrame: fc.oneof({ weight: 60, arbitrary: callFrame }, odd),
    hitCount: fc.nat(),
    children: loose(fc.array(loose(id), { maxLength: 3 })),
    parent: loose(id),
    positionTicks: loose(fc.array(fc.oneof(tick, fc.constant({ line: 3, ticks: 2 })), { maxLength: 3 })),
    deoptReason: name,
    other: odd,
  });
  const nodes = fc
    .uniqueArray(id, { maxLength: 6 })
    .chain((ids) =>
      fc.tuple(...ids.map((given) => node.map((rest) => Object.fromEntries(shuffled({ ...rest, id: given }))))),
    );
  const profile = keysOf({
    nodes: loose(nodes),
    samples: loose(fc.array(loose(id), { maxLength: 8 })),
    timeDeltas: loose(fc.array(loose(number), { maxLength: 8 })),
    startTime: loose(number),
    endTime: loose(number),
    $vscode: odd,
  });
  const space = fc.constantFrom('', '', ' ', '\n\t');
  return fc.tuple(profile, space, fc.boolean()).map(([value, indent, isEscaped]) => {
    const text = JSON.stringify(value, null, indent);
    return isEscaped
      ? text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : text;
  });
}

/** Objects of these keys, of which each may be missing, in any order. */
function keysOf(values: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Record<string, unknown>> {
  const keys = Object.keys(values);
  return fc
    .tuple(fc.record(values), fc.shuffledSubarray(keys, { minLength: keys.length - 1 }))
    .map(([value, order]) => Object.fromEntries(order.map((key) => [key, value[key]])));
}

function shuffled(value: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(value).toSorted(([a], [b]) => (a.length % 3) - (b.length % 3));
}
