import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';

/** Drawings, and the names of the culprits; `module` for a module body. */
const drawn: Readonly<Record<string, string>> = {
  'less than a tenth of its weight makes no culprit': `
    ms 2.5  30
    loop loop
    .    helper
    → helper`,
  'a tenth of its weight does': `
    ms 2.5  22.5
    loop loop
    .    helper
    → helper loop`,
  'nor does it make the tenth of them smaller': `
    ms 30                          1      2.5             30
    app.ts#<module>                (idle) lib.ts#<module> lib.ts#<module>
    node:internal/modules/cjs#load .      .               helper
    → helper`,
  'the tenth of a module body leaves out what a package that it calls loads': `
    ms 3            100
    app.ts#<module> app.ts#<module>
    .               express#setUp
    .               node:internal/modules/cjs#load
    → module`,
};

for (const [name, drawing] of Object.entries(drawn))
  test(name, async () => {
    const [profile = '', expected] = drawing.split('→ ');
    const { culprits } = await hotspotsOf(profile);
    assert.equal(culprits.map((culprit) => (culprit === '' ? 'module' : culprit)).join(' '), expected);
  });

test('a slow call of a library is charged to the own function that makes it', async () => {
  const { culprits, operations } = await hotspotsOf(`
    handler     handler     handler
    bcryptjs#go bcryptjs#go bcryptjs#go
  `);
  assert.deepEqual(culprits, ['handler']);
  assert.equal(operations[0]?.culprit?.us, ms(3));
  assert.equal(operations[0]?.blame, null);
});

test('own code above a culprit that does nothing itself is none', async () => {
  const { culprits, worst } = await hotspotsOf(`
    server server server server
    route  route  route  route
    parse  parse  parse  route
  `);
  assert.deepEqual(culprits, ['parse']);
  assert.equal(worst('server'), ms(4));
});

test('a function may be culprit for its own loop although a helper in it is one too', async () => {
  const { culprit } = await hotspotsOf(`
    loop loop   loop   loop   loop loop loop
    .    helper helper helper .    .    .
  `);
  assert.equal(culprit('loop')?.worstUs, ms(4));
  assert.equal(culprit('helper')?.worstUs, ms(3));
});

test('helpers that are each too short are charged to their caller together', async () => {
  const { culprits, culprit } = await hotspotsOf(`
    loop  loop   loop  loop
    first second third fourth
  `);
  assert.deepEqual(culprits, ['loop']);
  assert.equal(culprit('loop')?.worstUs, ms(4));
});

test('what is exactly the threshold is under it', async () => {
  const { culprits } = await hotspotsOf('parse parse');
  assert.deepEqual(culprits, []);
});

test('own parts of one function in one operation are added up', async () => {
  const { culprit } = await hotspotsOf(`
    route route route route  route  route
    first first first second second second
    parse parse parse parse  parse  parse
  `);
  assert.equal(culprit('parse')?.worstUs, ms(6));
  assert.equal(culprit('parse')?.longCount, 1);
  assert.equal(culprit('parse')?.distinctStacks, 2);
  assert.equal(culprit('parse')?.samples, 6);
});

test('a path is the same whether Node runs it from a timer or as a microtask', async () => {
  const { culprit } = await hotspotsOf(`
    native#runMicrotasks native#runMicrotasks native#runMicrotasks (idle) route route route
    route                route                route                .      parse parse parse
    parse                parse                parse                .      .     .     .
  `);
  assert.deepEqual([culprit('parse')?.longCount, culprit('parse')?.distinctStacks], [2, 1]);
});

test('test code is a culprit as other own code is', async () => {
  const { fn } = await hotspotsOf('test#case test#case test#case');
  assert.equal(fn('case').role, 'test');
  assert.equal(fn('case').culprit?.worstUs, ms(3));
});

test('the culprit of an operation has its largest part; on a tie, the one that comes first by place', async () => {
  const { operations } = await hotspotsOf(`
    root root root root root root
    b    b    b    a    a    a
  `);
  assert.equal(operations[0]?.culprit?.name, 'a');
});

test('an own part knows which callees its time was in', async () => {
  const { analysis } = await hotspotsOf(`
    handler handler       handler       handler
    .       bcryptjs#hash bcryptjs#hash native#now
    .       bcryptjs#mix  .             .
  `);
  const [place] = analysis.ownParts.at(0).places;
  const callees = place?.callees.map(({ functionId, weight }) => [
    analysis.functions.functions[functionId]?.name,
    weight,
  ]);
  assert.equal(place?.weight, ms(4));
  assert.equal(place?.self, ms(2), 'native functions count as its own');
  assert.deepEqual(callees, [['hash', ms(2)]]);
});

test('a callee at several nodes below an own part is one callee, in the order of time', async () => {
  const { analysis } = await hotspotsOf(`
    handler      handler       handler      handler         handler
    bcryptjs#mix bcryptjs#hash native#apply native#apply    bcryptjs#mix
    .            .             bcryptjs#mix bcryptjs#digest .
  `);
  const { callees } = analysis.ownParts.at(0).places[0] ?? assert.fail();
  const nameOf = (id: number): string | undefined => analysis.functions.functions[id]?.name;
  assertEach(callees, ({ functionId, weight }) => [nameOf(functionId), weight], [
    ['mix', ms(3)],
    ['hash', ms(1)],
    ['digest', ms(1)],
  ]);
});

test('what one operation called is not among the callees of the next', async () => {
  const { analysis } = await hotspotsOf(`
    handler       handler       handler (idle) handler      handler      handler
    bcryptjs#hash bcryptjs#hash .       .      bcryptjs#mix bcryptjs#mix .
  `);
  const weights = Array.from(analysis.ownParts, ({ places }) =>
    places.map(({ self, callees }) => [self, ...callees.map(({ weight }) => weight)]),
  );
  assert.deepEqual(weights, [[[ms(1), ms(2)]], [[ms(1), ms(2)]]]);
});

test('what one operation loaded is not in the load of the next', async () => {
  const { analysis } = await hotspotsOf(`
    ms 3                           1      3
    handler                        (idle) handler
    node:internal/modules/cjs#load .      .
    app.ts#<module>                .      .
    node:internal/modules/cjs#load .      .
  `);
  assertEach(analysis.ownParts, ({ load, loaded }) => [load, loaded === null], [
    [ms(3), false],
    [0, true],
  ]);
});

test('a larger own part comes before a place that comes first', async () => {
  const { operations } = await hotspotsOf(`
    root   root   root   root   root   root   root
    a.ts#a a.ts#a a.ts#a b.ts#b b.ts#b b.ts#b b.ts#b
  `);
  assert.equal(operations[0]?.culprit?.name, 'b');
});

test("an own part's way is that to the function's outermost frame, though the way runs in a circle below it", async () => {
  const { culprit } = await hotspotsOf(`
    outer outer outer (idle) outer outer outer
    inner inner inner .      inner inner inner
    parse parse parse .      parse parse parse
    .     .     .     .      outer outer outer
    .     .     .     .      parse parse parse
  `);
  assert.equal(culprit('parse')?.distinctStacks, 1);
});

test('what one operation loaded is not taken off the module bodies of the next', async () => {
  const { operations } = await hotspotsOf(`
    ms 3                           1      3
    app.ts#<module>                (idle) lib.ts#<module>
    node:internal/modules/cjs#load .      .
  `);
  assertEach(operations, ({ culprit }) => culprit?.url, [undefined, 'file:///app/src/lib.ts']);
});

test('what a culprit that is a module body loads is charged to the function that asked, past the module bodies between', async () => {
  const { culprits, fn, analysis } = await hotspotsOf(`
    ms 3                           4
    handler                        handler
    node:internal/modules/cjs#load node:internal/modules/cjs#load
    app.ts#<module>                app.ts#<module>
    lib.ts#<module>                lib.ts#<module>
    .                              node:internal/modules/cjs#load
  `);
  assert.deepEqual(culprits, ['handler', '']);
  assert.equal(fn('handler').culprit?.worstUs, ms(4));
  const charged = Array.from(analysis.ownParts, ({ functionId, weight }) => [
    analysis.functions.functions[functionId]?.url,
    weight,
  ]);
  assert.deepEqual(charged, [
    ['file:///app/src/app.ts', ms(4)],
    ['file:///app/src/lib.ts', ms(3)],
  ]);
});

test('loading that a function was charged with is not taken off the module body above it', async () => {
  const { culprits, fn } = await hotspotsOf(`
    ms 3            4
    app.ts#<module> app.ts#<module>
    .               handler
    .               node:internal/modules/cjs#load
  `);
  assert.deepEqual(culprits, ['handler', '']);
  assert.equal(fn('').culprit?.worstUs, ms(3));
});
