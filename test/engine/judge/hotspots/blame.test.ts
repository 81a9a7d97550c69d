import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { holderOf, holderPlace } from '../../../../words/operation-words.ts';
import { hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';

async function blameOf(drawing: string, threshold = 2): Promise<readonly unknown[]> {
  const { operations } = await hotspotsOf(drawing, { turns: [[0, 4]], threshold });
  const blame = operations[0]?.blame;
  return [blame?.kind, blame?.name, blame?.us];
}

/** Who is blamed for an operation of four samples, its kind and name where they differ, and for how many ms. */
const blamed: Readonly<Record<string, string>> = {
  'a package without a line of yours on the stack is blamed, by its outermost frame': `
    node:timers#list node:timers#list node:timers#list node:timers#list
    bcryptjs#hash    bcryptjs#hash    bcryptjs#hash    other#run
    .                other#run        other#run        .
    → package bcryptjs 3`,
  'a package in a scope has two names': `
    @acme/cart#sum @acme/cart#sum @acme/cart#sum @acme/cart#sum
    → package @acme/cart 4`,
  'a module loaded by a package is still the package': `
    express#route express#route                  express#route                  express#route
    .             node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load
    → package express 4`,
  'a package that is being loaded is loading, whatever its modules do then': `
    node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load express#route
    express#<module>               express#<module>               express#<module>               .
    .                              express#init                   express#init                   .
    → loading 3`,
  "the runner's work is the runner's": `
    mocha#run mocha#run mocha#run mocha#run
    → runner 4`,
  'a package that the runner calls, or that calls the runner, is the runner': `
    mocha#main  yargs#parse yargs#parse yargs#parse
    yargs#parse mocha#run   mocha#run   mocha#run
    .           .           glob#find   check
    .           .           .           bcryptjs#hash
    → runner 3`,
  "Node's work is Node's": `
    node:fs#read node:fs#read node:fs#read node:fs#read
    → node 4`,
  'a collection with nothing to interrupt is blamed itself': `
    (gc) (gc) (gc) (program)
    → gc 3`,
  'what has no stack is native': `
    (program) (program) (program) (gc)
    → native 3`,
  'a package that only loads modules is loading': `
    tsx#load tsx#load tsx#load tsx#load
    → loading 4`,
  'of two packages with parts of one length the first by name is blamed': `
    pg#read pg#read bcryptjs#hash bcryptjs#hash
    → package bcryptjs 2`,
  'what own code loads in a run is loading, whatever package called the runner': `
    yargs#parse                    yargs#parse                    yargs#parse                    yargs#parse
    mocha#run                      mocha#run                      mocha#run                      mocha#run
    parse                          parse                          check                          check
    node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load
    → loading 4`,
  'a package that own code calls in a run, and that loads modules, is still the package': `
    mocha#run                      mocha#run                      mocha#run                      mocha#run
    parse                          parse                          check                          check
    express#route                  express#route                  express#route                  express#route
    node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load
    → package express 4`,
  'native functions with nothing above them are native': `
    native#now native#now native#now node:fs#read
    → native 3`,
  'own code in many short calls is blamed itself, not what calls it': `
    node:timers#list node:timers#list node:timers#list node:timers#list
    parse            check            express#route    render
    .                lodash#map       escape           .
    → own 4`,
  'own modules that load their dependencies are loading, not own code': `
    <module>                       <module>                       <module>                       <module>
    node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load
    → loading 4`,
};

for (const [name, drawing] of Object.entries(blamed))
  test(name, async () => {
    const [drawn = '', expected] = drawing.split('→ ');
    const [kind, of, us] = await blameOf(drawn);
    assert.equal([kind, ...(of === kind ? [] : [of]), Number(us) / 1000].join(' '), expected);
  });

test('nobody is blamed for an operation of which no sample was kept', async () => {
  const { operations } = await hotspotsOf('(idle) (idle)', { turns: [[10, 20]] });
  assertEach(operations, ({ durationUs, blame }) => [durationUs, blame], [[ms(10), null]]);
});

test('beside a culprit what it left is blamed, own code aside, where that is over the threshold', async () => {
  const beside = async (drawing: string): Promise<readonly unknown[]> => {
    const drawn = `parse parse parse ${drawing}`;
    const { operations, report, analysis } = await hotspotsOf(drawn, { turns: [[0, drawn.split(' ').length]] });
    const removed = report.findings.find(({ name }) => name === 'qs')?.removesUs;
    return [operations[0]?.blame?.us, removed, holderOf(analysis, 0), holderPlace(analysis, 0) !== ''];
  };
  assert.deepEqual(await beside('qs#parse qs#parse'), [undefined, undefined, 'parse', true]);
  assert.deepEqual(await beside('check lex render'), [undefined, undefined, 'parse', true]);
  assert.deepEqual(await beside('qs#parse qs#parse qs#parse check'), [ms(3), ms(2), 'parse', true]);
  assert.deepEqual(await beside('qs#parse qs#parse qs#parse qs#parse'), [ms(4), ms(4), 'qs', false]);
});

test('nobody is blamed for a short operation', async () => {
  const { operations } = await hotspotsOf('bcryptjs#hash bcryptjs#hash');
  assert.equal(operations[0]?.blame, null);
});

test('of parts of one length own code is blamed before a package, that before loading, runner, Node, gc, native', async () => {
  for (const [kind, drawing] of [
    ['own', 'bcryptjs#hash bcryptjs#hash parse parse'],
    ['package', 'node:internal/modules/cjs#load node:internal/modules/cjs#load bcryptjs#hash bcryptjs#hash'],
    ['loading', 'mocha#run mocha#run node:internal/modules/cjs#load node:internal/modules/cjs#load'],
    ['runner', 'node:fs#read node:fs#read mocha#run mocha#run'],
    ['node', '(gc) (gc) node:fs#read node:fs#read'],
    ['gc', '(gc) (gc) (program) (program)'],
  ] as const) {
    const [blamed, , us] = await blameOf(drawing);
    assert.deepEqual([blamed, us], [kind, ms(2)], drawing);
  }
});

test('what the runner does when own code has called it is the runner, what own code does below it is own', async () => {
  const calledByOwn = `
    parse     parse     check     check
    mocha#run mocha#run mocha#run mocha#run
  `;
  assert.deepEqual(await blameOf(calledByOwn), ['runner', 'runner', ms(4)]);
  const callsOwn = `
    mocha#run mocha#run mocha#run mocha#run
    parse     parse     check     check
  `;
  assert.deepEqual(await blameOf(callsOwn), ['own', 'own', ms(4)]);
});

test('own code that was loaded, and a package that it loaded, are at work, not loading', async () => {
  const loaded = `
    node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load
    parse                          parse                          check                          check
  `;
  assert.deepEqual(await blameOf(loaded), ['own', 'own', ms(4)]);
  const loads = `
    parse                          parse                          check                          check
    node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load
    express#route                  express#route                  express#route                  express#route
  `;
  assert.deepEqual(await blameOf(loads), ['own', 'own', ms(4)]);
});

test('a file outside of the workspace that is not a package is said to be outside', async () => {
  const other = 'file:///elsewhere/tool.js#run';
  assert.deepEqual(await blameOf(`${other} ${other} node:fs#read node:fs#read`), ['other', 'other', ms(2)]);
  const drawing = `
    ${other} ${other} ${other} ${other}
    qs#parse qs#parse qs#parse .
  `;
  assert.deepEqual(await blameOf(drawing), ['package', 'qs', ms(3)]);
});
