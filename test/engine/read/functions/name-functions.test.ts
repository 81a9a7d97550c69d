import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UnnamedFrame } from '../../../../engine/read/samples/profile-tree.ts';
import { nameFunctions } from '../../../../engine/read/functions/name-functions.ts';
import type { Origin } from '../../../../engine/read/sourcemap/ask-map.ts';
import { column0, line0 } from '../../../../protocol/units.ts';
import { assertEach } from '../../../helpers/assert-each.ts';

const workspace = { roots: ['/app'], testPatterns: [], evaluated: false };
const built = 'file:///app/dist/cart.js';

test('a function is where its source map says that it was written', async () => {
  const { functions } = await nameFunctions(
    [frame('t', built, 0)],
    mapper(original('/app/src/cart.ts', 12, 'total')),
    workspace,
  );
  const { name, url, line, generated } = functions[0] ?? assert.fail();
  assert.deepEqual({ name, url, line }, { name: 'total', url: '/app/src/cart.ts', line: 12 });
  assert.deepEqual(generated, { url: built, line: 0, column: 9 });
});

test('what two bundles have of one function is one function', async () => {
  const frames = [frame('t', built, 0), frame('u', 'file:///app/dist/admin.js', 7)];
  const table = await nameFunctions(frames, mapper(original('/app/src/cart.ts', 12, 'total')), workspace);
  assert.equal(table.functions.length, 1);
  assertEach(table.frames, ({ functionId }) => functionId, [0, 0]);
});

test("a compiler's helper is nobody's own code", async () => {
  const { functions } = await nameFunctions([frame('__decorate', built, 3)], mapper({ type: 'helper' }), workspace);
  assert.equal(functions[0]?.own, false);
});

test('without maps functions are as the profile has them', async () => {
  const { functions } = await nameFunctions([frame('total', built, 3)], null, workspace);
  assert.deepEqual([functions[0]?.url, functions[0]?.line, functions[0]?.generated], [built, 3, null]);
});

const bodies: readonly (readonly [UnnamedFrame, boolean])[] = [
  [frame('', built, 0, 0), true],
  [frame('', built, 0, -196), true],
  [frame('Object.<anonymous>', built, 0, 56), true],
  [frame('', built, 0, 10), false],
  [frame('Object.<anonymous>', built, 5, 10), false],
  [frame('', '', 0, 0), false],
  [frame('', 'node:internal/main/run_main_module', 0, 0), false],
];

for (const [candidate, expected] of bodies) {
  const { functionName, url, line, column } = candidate;
  test(`"${functionName}" at ${url}:${line}:${column} is ${expected ? 'a' : 'no'} module body`, async () => {
    const { functions } = await nameFunctions([candidate], null, workspace);
    assert.equal(functions[0]?.moduleBody, expected);
  });
}

test('people know a module body by its file, not by the name of jest’s wrapper', async () => {
  const { functions } = await nameFunctions([frame('Object.<anonymous>', built, 0, 56)], null, workspace);
  assert.equal(functions[0]?.label, 'cart.js (module)');
});

test('a label has the name of a file as it is written, not as in a url, and without a query', async () => {
  const url = 'file:///app/gr%C3%B6%C3%9Fe%201%23.js?v=2';
  const { functions } = await nameFunctions([frame('', url, 0, 0), frame('', url, 8)], null, workspace);
  assertEach(functions, ({ label }) => label, ['größe 1#.js (module)', 'größe 1#.js:9']);
});

function frame(functionName: string, url: string, line: number, column = 9): UnnamedFrame {
  return { functionName, url, line: line0(line), column: column0(column) };
}

function original(url: string, line: number, name: string): Origin {
  return { type: 'original', url, line: line0(line), column: column0(2), name };
}

function mapper(answer: Origin): { functions: () => Promise<readonly Origin[]> } {
  return { functions: async () => [answer] };
}
