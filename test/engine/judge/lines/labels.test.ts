import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexSource } from '../../../../engine/read/source-code/index-source.ts';
import { SourceIndexes } from '../../../../engine/read/source-code/source-indexes.ts';
import { functionInfo } from './drawn-function.ts';
import { labelsOf } from '../../../../engine/judge/lines/facts-from-source.ts';

/** The label of the function that begins at `‸`, as V8 would report it. */
async function labelIn(marked: string, { url = '/app/src/rules.ts', name = '' } = {}): Promise<string | undefined> {
  const before = marked.slice(0, marked.indexOf('‸')).split('\n');
  const place = { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
  const indexes = new SourceIndexes(() => Promise.resolve(marked.replace('‸', '')));
  const labels = await labelsOf([functionInfo({ id: 7, url, name, ...place })], indexes);
  return labels.get(7);
}

for (const [label, source] of [
  ['forEach() callback in detect', 'function detect(rules) { rules.forEach(‸rule => rule.test(text)); }'],
  ['sort() callback in detect', 'const detect = (rules: Rule[]) => rules.sort((‸(a, b) => a - b) as Compare);'],
  ['map() callback in Cart', 'class Cart { constructor(items) { items.map(function ‸(item) { return item; }); } }'],
  ['Promise() callback in later', 'async function later() { await new Promise(‸resolve => resolve(1)); }'],
  ['every() callback in detect', 'function detect() { return all(function () { return rules.every(‸r => r); }); }'],
  ['map() callback in rules.ts', 'items.map(‸(item) => item);'],
  [
    'test "parses long input"',
    "describe('parser', () => { it('parses long input', async ‸() => {}); });".replace('async ‸', '‸async '),
  ],
  ['test "adds %i"', "test.each([1, 2])('adds %i', ‸(n) => {});"],
  ['test "of …"', 'test(`of ${name}`, { timeout: 5 }, ‸t => {});'],
  ['test "nested"', "test('all', async (t) => { await t.test('nested', ‸() => {}); });"],
  ['describe "parser"', "describe.only('parser', ‸() => {});"],
  ['beforeEach() callback in describe "parser"', "describe('parser', () => { beforeEach(‸() => {}); });"],
  ['handler of GET /hello', "app.get('/hello', auth, ‸(req, res) => res.send('hi'));"],
  ['handler of DELETE /items/:id', "router.delete('/items/:id', ‸async (req, res) => {});"],
  ['handler of POST /a', "router.route('/a').get(list).post(‸(req, res) => {});"],
  ['handler of PUT /b', "server.route({ method: 'PUT', url: '/b', handler: ‸(req) => {} });"],
  ['middleware of /admin', "app.use('/admin', ‸(req, res, next) => next());"],
  ['handler of "message"', "socket.on('message', ‸(data) => {});"],
  ['parse', 'exports.parse = wrap[‸() => 1][0]; '.replace('wrap[‸() => 1][0]', '‸() => 1')],
  ['onClick', 'class View { onClick = ‸(event) => {}; }'],
  ['fallback', 'function run({ fallback = ‸() => {} }) {}'],
  // Where a map of esbuild has the body of a compiled async function.
  ['load', 'async function load(n) ‸{ await n; }'],
  ['fill', 'class Store { async fill(n) ‸{ await n; } }'],
] as const) {
  test(`an anonymous function is called ${label}`, async () => {
    assert.equal(await labelIn(source), label);
  });
}

test('what V8 names itself needs no source, and a class being filled is said in words', async () => {
  assert.equal(await labelIn('items.map(‸function all() {})', { name: 'all' }), undefined);
  const fields = { name: '<instance_members_initializer>' };
  assert.equal(await labelIn('x;\n‸class Cart { items = load((x) => x); }', fields), 'fields of Cart');
});

for (const [label, source, name = 'Cart'] of [
  ['static fields of Cart', 'class Cart { items = load(); ‸static { f(); } static x = 1; }'],
  ['fields of Cart', 'class Cart { #m() {} ‸items = load(); static { f(); } }'],
  ['fields of Cart', 'class Cart { ‸run = () => {}; }'],
  ['static fields of Cart', 'class Cart ‸{ static run = () => {}; }'],
  ['fields of Cart', 'class Cart ‸{ static run = () => {}; items = load(); }'],
  ['fields of Cart', 'class Cart { declare id: string; ‸items = load(); }'],
  ['fields of Cart', 'const Cart = class { ‸run = () => {}; };', ''],
  ['static fields of Cart', 'x; ‸class Cart { items = load(); static run = () => {}; }', '<static_initializer>'],
  [undefined, '‸class Cart { items = load(); }'],
  [undefined, 'class Cart { items = load(); constructor‸() {} }'],
  ['run', 'class Cart { ‸run = () => {}; }', 'run'],
  ['map() callback in rules.ts', 'class Cart { items = load().map(‸(x) => x); }', ''],
  ['map() callback in rules.ts', 'class Cart { [keys.map(‸(x) => x)] = load(); }', ''],
] as const) {
  test(`V8's ${name === '' ? 'function without a name' : name} at ${source} is called ${label ?? name}`, async () => {
    assert.equal((await labelIn(source, { name })) ?? (label === name ? name : undefined), label);
  });
}

for (const [label, source, name] of [
  [
    'then() callback in load',
    'function load() { read().then(‸() => {}, (e) => { state.error = e; }); }',
    'read.then.state.error',
  ],
  ['test "adds"', "test('adds', ‸() => {}, () => { state.error = 1; });", 'state.error'],
  ['steps', 'const steps = [‸() => {}, () => JSON.stringify({ cart })];', 'JSON.stringify.cart.cart'],
  ['steps', 'app.steps = [[1, ‸() => {}], () => { state.error = 1; }];', 'app.steps.state.error'],
  ['step', 'const step = quick ? ‸() => {} : () => { total = 4; };', 'quick.total'],
  ['rules.ts:2', 'x;\nrun([‸() => {}, () => { total = 4; }]);', 'total'],
  ['rules.ts:1', 'function steps() { return [‸() => {}, () => { total = 4; }]; }', 'total'],
] as const) {
  test(`V8 names ${source} ${name}, after other code, so it is called ${label}`, async () => {
    assert.equal(await labelIn(source, { name }), label);
  });
}

for (const [name, source] of [
  ['a.b.c', 'a.b.c = function ‸() {};'],
  ['a.steps', 'a.steps = [‸() => {}];'],
  ['a.b.<computed>', 'a.b[key] = function ‸() {};'],
  ['[Symbol.iterator]', 'class Cart { [Symbol.iterator]‸() {} }'],
  ['default', 'export default ‸() => {};'],
  ['onClick', 'const view = <a onClick={‸() => {}} />;'],
  ['sum', 'run(function sum‸() {});'],
  ['get total', 'const cart = { get total‸() { return 1; } };'],
] as const) {
  test(`V8's name ${name} is that of ${source}`, async () => {
    assert.equal(await labelIn(source, { name, url: '/app/src/rules.tsx' }), undefined);
  });
}

test('a function that nothing names has no label but its place', async () => {
  assert.equal(await labelIn('(‸() => {})();'), undefined);
  assert.equal(await labelIn('return ‸() => {};'), undefined);
});

test('JSX, TypeScript and broken sources are read as far as they go', async () => {
  assert.equal(
    await labelIn('const List = () => <ul>{items.map(‸(item) => <li>{item}</li>)}</ul>;', { url: '/app/List.jsx' }),
    'map() callback in List',
  );
  assert.equal(
    await labelIn('const f = <T,>(x: T) => <T>x;\nf(‸(a: string): a is "b" => true);', { url: '/app/a.ts' }),
    'f() callback in a.ts',
  );
  assert.equal(
    await labelIn('let a = 1; let a = 2;\nfunction g() { return list.find(‸(x) => x); }'),
    'find() callback in g',
  );
  assert.equal(indexSource('this is ((( no program', '/app/a.js'), null);
  assert.equal(indexSource('('.repeat(100_000), '/app/a.js'), null);
  assert.notEqual(indexSource(`x = ${'a + '.repeat(500)} b`, '/app/a.js'), null);
});

test('each file is read once', async () => {
  let reads = 0;
  const indexes = new SourceIndexes(async () => {
    reads += 1;
    return 'a(() => 1); b(() => 2);';
  });
  const functions = [2, 13].map((column, id) => functionInfo({ id, url: '/app/a.js', line: 0, column }));
  assert.deepEqual(
    [...(await labelsOf(functions, indexes)).values()],
    ['a() callback in a.js', 'b() callback in a.js'],
  );
  assert.equal(reads, 1);
});
