import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeList } from '../../../../../engine/read/import/cpuprofile/node-list.ts';
import { NumberList } from '../../../../../engine/basics/number-list.ts';
import { PlainReader, createPlainReader } from '../../../../../engine/read/import/cpuprofile/plain-reader.ts';
import { assertEach } from '../../../../helpers/assert-each.ts';

const frame = { functionName: 'parse', scriptId: '7', url: 'file:///app/parse.js', lineNumber: 3, columnNumber: 9 };
const otherName = { ...frame, functionName: 'parsf' };

// Each is followed by one more: the last node, which no comma ends, is left to the long way.
const plainNodes: readonly (readonly [what: string, node: string])[] = [
  ['V8', JSON.stringify({ id: 1, callFrame: frame, hitCount: 2, children: [3, 4], positionTicks: [tick(4)] })],
  ['V8 with a quote in the name', JSON.stringify({ id: 1, callFrame: { ...frame, functionName: String.raw`a"\"b` } })],
  ['Chrome DevTools', JSON.stringify({ callFrame: backwards(frame), id: 1, parent: 7, hitCount: 0 })],
  ['VS Code, which adds locations', JSON.stringify({ id: 1, callFrame: frame, locationId: 5, deoptReason: 'none' })],
  [
    'somebody who indents',
    JSON.stringify({ id: 1, callFrame: frame, children: [2], positionTicks: [tick(4)] }, null, 2),
  ],
];

for (const [who, node] of plainNodes) {
  test(`a node as written by ${who} is read fast`, () => {
    assert.equal(fastRead(`${node},${node}`).nodes.ids.size, 1);
  });
}

const oddNodes: readonly (readonly [what: string, node: string])[] = [
  ['an id that is not a small integer', `{"id":1.5,"callFrame":${JSON.stringify(frame)}}`],
  ['an id that begins with a zero', `{"id":01,"callFrame":${JSON.stringify(frame)}}`],
  ['an id twice', `{"id":1,"id":2,"callFrame":${JSON.stringify(frame)}}`],
  ['an escaped key', String.raw`{"\u0069d":1,"id":2,"callFrame":{}}`],
  ['no call frame', '{"id":1}'],
  ['a call frame that is not JSON', '{"id":1,"callFrame":{"functionName":"a","scriptId":oops,"url":""}}'],
];

for (const [what, node] of oddNodes) {
  test(`a node with ${what} is left alone`, () => {
    const { nodes, end } = fastRead(`${node},${node}`);
    assert.deepEqual([nodes.ids.size, end], [0, 0]);
  });
}

test('functions of one place and two names stay two', () => {
  const nodes = [frame, otherName, frame, otherName, frame].map((callFrame, id) => ({ id, callFrame }));
  const read = fastRead(nodes.map((node) => JSON.stringify(node)).join(',')).nodes;
  assert.deepEqual([...read.frame.values()], [0, 1, 0, 1]);
  assertEach(read.callFrames.frames, ({ functionName }) => functionName, ['parse', 'parsf']);
});

test('more call frames than there is room for are all told apart', () => {
  const reader = new PlainReader();
  const nodes = new NodeList();
  const count = 60_000; // There is room for 49 152 at most.
  const named = (id: number): string => JSON.stringify({ id, callFrame: { ...frame, functionName: `f${id % count}` } });
  for (let id = 0; id < count * 2; id += 1000) {
    const text = Array.from({ length: 1001 }, (_, index) => named(id + index)).join(',');
    reader.readNodes(put(text, reader), 0, nodes);
  }
  assert.equal(nodes.callFrames.frames.length, count);
  assert.ok(nodes.frame.toInt32().every((number, id) => number === id % count));
});

test('integers of any length and sign are read up to the bracket, and no further', () => {
  const reader = new PlainReader();
  const list = new NumberList();
  const given = [0, 7, 42, 123, 1234, 12_345, 123_456, 1_234_567, 12_345_678, -5, -1_234_567, 0];
  const text = `${JSON.stringify(Array.from({ length: 40 }, () => given).flat()).slice(1)},99`;
  assert.equal(reader.readNumbers(put(text, reader), 0, list), text.length - 3);
  assert.deepEqual([...list.values()], Array.from({ length: 40 }, () => given).flat());
});

test('a list is read up to the first element that is not an integer', () => {
  for (const odd of ['1e3', '1.5', 'null', '007', '123456789', '"1"', '--1', '']) {
    const reader = new PlainReader();
    const list = new NumberList();
    assert.equal(reader.readNumbers(put(`1,22,${odd},4]`, reader), 0, list), 5, odd);
    assert.deepEqual([...list.values()], [1, 22]);
  }
});

test('what is behind the bytes at hand, from a piece before, is not read', () => {
  const reader = new PlainReader();
  put('1,2,3,4,5,6,7,8]', reader);
  const list = new NumberList();
  assert.equal(reader.readNumbers(put('11,2', reader), 0, list), 3);
  assert.deepEqual([...list.values()], [11]);
});

function backwards(value: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(Object.entries(value).toReversed());
}

function tick(line: number): unknown {
  return { line, ticks: 2 };
}

function fastRead(text: string): { nodes: NodeList; end: number } {
  const reader = new PlainReader();
  const nodes = new NodeList();
  return { nodes, end: reader.readNodes(put(text, reader), 0, nodes) };
}

function put(text: string, { window }: PlainReader): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  window.set(bytes);
  return window.subarray(0, bytes.length);
}

test('without room for a WebAssembly memory there is none, and no error', (t) => {
  t.mock.method(WebAssembly, 'Instance', function none() {
    throw new RangeError('Out of memory: Cannot allocate Wasm memory for new instance');
  });
  assert.equal(createPlainReader(), null);
});

test('numbers take 2 bytes each for as long as all of them are small', () => {
  const reader = new PlainReader();
  for (const last of [65_535, 65_536, -1]) {
    const list = new NumberList(new Uint16Array(64));
    const expected: number[] = [];
    for (const count of [1, 7, 8, 9, 17, 1000]) {
      const numbers = Array.from({ length: count }, (_, index) => (index * 7919) % 65_536);
      numbers.push(count === 17 ? last : 3);
      const bytes = reader.window.subarray(
        0,
        new TextEncoder().encodeInto(`${numbers.join(',')},`, reader.window).written,
      );
      assert.equal(reader.readNumbers(bytes, 0, list), bytes.length);
      expected.push(...numbers);
    }
    assert.deepEqual([...list.values()], expected);
    assert.equal(list.isShort, last === 65_535);
  }
});
