import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';

const appModule = 'file:///app/src/app.ts';

test('a module body is not charged with loading what it asks for', async () => {
  const { culprits, operations, report } = await hotspotsOf(`
    app.ts#<module>                  app.ts#<module>                  app.ts#<module>
    node:internal/modules/cjs#load   node:internal/modules/cjs#load   node:internal/modules/cjs#load
    lib.ts#<module>                  node:fs#read                     node:fs#read
  `);
  assert.deepEqual(culprits, []);
  assert.equal(operations[0]?.loadUs, ms(3));
  assert.deepEqual(report.modules, [
    { url: 'file:///app/src/app.ts', selfUs: ms(3), totalUs: ms(3), askers: [] },
    { url: 'file:///app/src/lib.ts', selfUs: ms(0), totalUs: ms(1), askers: [{ url: appModule, us: ms(1) }] },
  ]);
});

test('the work of a module body itself is', async () => {
  const { fn } = await hotspotsOf(`
    app.ts#<module> app.ts#<module> app.ts#<module> app.ts#<module>
    .               .               .               node:internal/modules/cjs#load
  `);
  assert.equal(fn('').moduleBody, true);
  assert.equal(fn('').culprit?.worstUs, ms(3));
});

test('the tenth of a module body is one of its weight without loading', async () => {
  const { culprits } = await hotspotsOf(`
    ms 3            100
    app.ts#<module> app.ts#<module>
    .               node:internal/modules/cjs#load
  `);
  assert.deepEqual(culprits, ['']);
});

test('a function that asks for a module is charged with it, and how much is said', async () => {
  const { fn, analysis, operations } = await hotspotsOf(`
    handler handler                        handler                        handler
    .       node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load
    .       lib.ts#<module>                .                              lib.ts#<module>
  `);
  assert.equal(fn('handler').culprit?.worstUs, ms(4));
  assert.equal(fn('handler').loadUs, ms(3));
  assert.equal(analysis.ownParts.at(0).load, ms(3));
  assert.equal(operations[0]?.loadUs, ms(0), 'what a culprit took is never load');
});

test('a module that works long while it is evaluated is a culprit, not load', async () => {
  const { operations, culprits } = await hotspotsOf(`
    app.ts#<module>                app.ts#<module>                app.ts#<module>                app.ts#<module>
    node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load
    lib.ts#<module>                lib.ts#<module>                lib.ts#<module>                .
  `);
  assert.deepEqual(culprits, ['']);
  assert.equal(operations[0]?.culprit?.url, 'file:///app/src/lib.ts');
  assert.equal(operations[0]?.loadUs, ms(1));
});

test("loading that no module asked for is the loader's", async () => {
  const { report, operations } = await hotspotsOf(`
    node:internal/modules/run_main#run node:internal/modules/run_main#run node:internal/modules/run_main#run
    .                                  node:fs#read                       native#now
  `);
  assert.deepEqual(report.modules, [{ url: '(loader)', selfUs: ms(3), totalUs: ms(3), askers: [] }]);
  assert.equal(operations[0]?.blame?.kind, 'loading');
});

test('the work of an entry module is not load', async () => {
  const { operations, report } = await hotspotsOf(`
    node:internal/modules/run_main#run node:internal/modules/run_main#run
    app.ts#<module>                    app.ts#<module>
  `);
  assert.equal(operations[0]?.loadUs, ms(0));
  assert.deepEqual(report.modules, []);
});

test("jest's wrapper and vite-node's are module bodies, other functions on the first line are not", async () => {
  const { analysis } = await hotspotsOf('app.ts#<module> lib.ts#run');
  const body = ({ name, moduleBody }: { name: string; moduleBody: boolean }): unknown => [name, moduleBody];
  assert.deepEqual(analysis.functions.functions.map(body), [
    ['', true],
    ['run', false],
  ]);
});

test('what a module loads in turn is charged to the function that asked for the module', async () => {
  const { fn, culprits } = await hotspotsOf(`
    handler                        handler                        handler
    node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load
    lib.ts#<module>                lib.ts#<module>                lib.ts#<module>
    node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load
  `);
  assert.deepEqual(culprits, ['handler']);
  assert.equal(fn('handler').culprit?.worstUs, ms(3));
});

test('modules that ask for each other count once in their totals', async () => {
  const { report } = await hotspotsOf(`
    app.ts#<module>
    node:internal/modules/cjs#load
    lib.ts#<module>
    node:internal/modules/cjs#load
    app.ts#<module>
    node:internal/modules/cjs#load
  `);
  assert.deepEqual(report.modules, [
    { url: 'file:///app/src/app.ts', selfUs: ms(1), totalUs: ms(1), askers: [] },
    { url: 'file:///app/src/lib.ts', selfUs: ms(0), totalUs: ms(1), askers: [{ url: appModule, us: ms(1) }] },
  ]);
});

test('two bodies of one module, of two of its texts, count once in its total', async () => {
  const { report } = await hotspotsOf(`
    lib.ts#<module>
    node:internal/modules/cjs#load
    lib.ts#Object.<anonymous>
    node:internal/modules/cjs#load
  `);
  assert.deepEqual(
    report.modules.map(({ url, selfUs, totalUs }) => [url, selfUs, totalUs]),
    [['file:///app/src/lib.ts', ms(1), ms(1)]],
  );
});

test('loading a module is asked for by the module that was evaluated around it, and by no module of a function', async () => {
  const { report } = await hotspotsOf(
    `
    app.ts#<module>                cart.ts#<module>               cart.ts#<module>               handler
    node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load
    lib.ts#<module>                lib.ts#<module>                lib.ts#<module>                lib.ts#<module>
    .                              node:fs#read                   node:fs#read                   node:internal/modules/cjs#load
  `,
    { threshold: 10 },
  );
  const lib = report.modules.find(({ url }) => url.endsWith('lib.ts'));
  assert.equal(lib?.totalUs, ms(4));
  assert.deepEqual(lib?.askers, [
    { url: 'file:///app/src/cart.ts', us: ms(2) },
    { url: appModule, us: ms(1) },
  ]);
});
