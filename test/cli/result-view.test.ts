import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shownUrlsOf } from '../../cli/views/hotspot-view.ts';
import { type ResultView, resultView } from '../../cli/views/result-view.ts';
import { readSources } from '../../cli/views/shown-code.ts';
import { readText } from '../../engine/read/files/world.ts';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import type { TurnLine } from '../../protocol/recording-lines.ts';
import { line1 } from '../../protocol/units.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { type DrawnOptions, hotspotsIn, hotspotsOf } from '../helpers/drawn-hotspots.ts';
import { drawnStart, drawProfile } from '../helpers/drawn-profile.ts';
import { memoryWorld } from '../helpers/memory-world.ts';
import { analysisOf } from '../engine/judge/lines/drawn-analysis.ts';

async function viewOf(drawing: string, options: DrawnOptions = {}, files = {}, all = false): Promise<ResultView> {
  const { analysis } = await hotspotsOf(drawing, options);
  const sources = await readSources(
    shownUrlsOf(analysis),
    async (url) => readText(filePathOf(url) ?? url, memoryWorld(files)),
    '/app',
  );
  return resultView(analysis, { all, sources });
}

const labels = ({ hotspots }: ResultView): readonly string[] => hotspots.map(({ label }) => label);

test('a package with no line of yours on the stack has the lines that import it', async () => {
  const { analysis } = await hotspotsIn({
    '/rec/7-0-x.0.cpuprofile': JSON.stringify(
      drawProfile('bcryptjs#hash bcryptjs#hash bcryptjs#hash (idle) lib.ts#sum'),
    ),
    '/app/src/lib.ts': "import bcrypt from 'bcryptjs';",
  });
  const { verdict } = resultView(analysis, { all: false, sources: await readSources([], async () => null, '/app') });
  const inSource = resultView(analysis, { all: false, sources: await readSources([], async () => null, '/app/src') });
  assert.equal(
    verdict,
    'Nothing in your own code, but bcryptjs blocks up to ≈3 ms (1 ×). It is imported at src/lib.ts:1.',
  );
  assert.deepEqual(
    inSource.blamed,
    ['bcryptjs up to ≈3 ms (1 ×), imported at lib.ts:1'],
    'from the current folder, as lines are',
  );
});

describe('what is shown', () => {
  test('culprits with the three figures, from the current folder, and their source', async () => {
    const files = { '/app/src/cart.ts': '  export function total() {}\n' };
    const { hotspots, verdict } = await viewOf('cart.ts#total cart.ts#total cart.ts#total', { turns: [[0, 3]] }, files);
    const [total] = hotspots;
    assert.match(total?.figures ?? '', /^3 ms worst · 1 × >2 ms · 1 stack$/);
    assert.match(total?.place ?? '', /^src\/cart\.ts:\d+$/);
    assert.equal(verdict, '');
  });

  test('application code, then tests', async () => {
    const view = await viewOf('test#case test#case test#case test#case (idle) parse parse parse', { turns: '0-4 5-8' });
    assert.equal(view.hotspots.at(-1)?.role, 'test');
    assert.equal(labels(view)[0], 'parse');
  });

  test('workers of the program are shown as such, and make nobody wait', async () => {
    const view = await viewOf('parse parse parse', { turns: [[0, 3]], worker: 'background' });
    assertEach(view.hotspots, ({ figures, tone }) => [figures, tone], [['3 ms in a worker', 'background']]);
    assert.match(view.verdict ?? '', /^Nothing in your code blocks/);
  });

  test('what was long the first time only stands last, behind tests', async () => {
    const turns = '0-3 4-8 9-10 11-14';
    const view = await viewOf(
      'test#case test#case test#case (idle) parse parse parse parse (idle) parse (idle) test#case test#case test#case',
      { turns },
    );
    assert.deepEqual(labels(view), ['case', 'parse']);
    assert.equal(view.hotspots[1]?.figures, '4 ms the first time, then 1 ms');
  });

  test('a package is named where no own line is on the stack', async () => {
    const view = await viewOf('bcryptjs#hash bcryptjs#hash bcryptjs#hash', { turns: [[0, 3]] });
    assert.deepEqual(view.blamed, ['bcryptjs up to 3 ms (1 ×)']);
    assert.equal(view.verdict, 'Nothing in your own code, but bcryptjs blocks up to 3 ms (1 ×).');
  });

  test('own code that is spread over short calls is said to be that', async () => {
    const drawing = 'parse check render (idle) bcryptjs#hash bcryptjs#hash bcryptjs#hash bcryptjs#hash';
    const view = await viewOf(drawing, { turns: [[0, 3]] });
    assert.equal(view.shortCalls, 'up to 3 ms (1 ×)');
    assert.match(view.verdict ?? '', /^No single function of yours blocks, but .* up to 3 ms in one go \(1 ×\)\.$/);
    assert.equal(
      (await viewOf(drawing, { turns: '0-3 4-8' })).verdict,
      'No single function of yours blocks, but bcryptjs blocks up to 4 ms (1 ×), and short calls of your code together up to 3 ms (1 ×).',
    );
  });

  test('starting up and the runner are not findings', async () => {
    const view = await viewOf('mocha#run mocha#run mocha#run (idle) parse', { turns: '0-3 4-5' });
    assert.deepEqual(view.blamed, []);
    assert.match(view.verdict ?? '', /^Nothing in your code blocks for more than 2 ms\. Longest: ≈?1 ms, parse/);
  });

  test('carriers and packages are there on request', async () => {
    const drawing = `
      handler handler handler
      parse   parse   parse
    `;
    const turns = [[0, 3]] as const;
    assert.deepEqual((await viewOf(drawing, { turns })).functions, []);
    const { functions } = await viewOf(drawing, { turns }, {}, true);
    assert.deepEqual(functions.map(({ label }) => label).toSorted(), ['handler', 'parse']);
  });
});

test('every figure of operations that were inferred says ≈', async () => {
  const cold = await viewOf('parse parse parse (idle) parse (idle) test#case');
  assertEach(cold.hotspots, ({ figures }) => figures, ['≈3 ms the first time, then 1 ms']);
  const { analysis } = await hotspotsIn({
    '/rec/CPU.20260101.101010.7.0.001.cpuprofile': JSON.stringify(drawProfile('(idle) (idle)')),
    '/rec/CPU.20260101.101010.7.1.002.cpuprofile': JSON.stringify(drawProfile('parse parse parse')),
  });
  const worker = resultView(analysis, { all: false, sources: await readSources([], async () => null, '/app') });
  assertEach(worker.hotspots, ({ figures }) => figures, ['≈3 ms in a worker']);
});

test('parts below the threshold, of operations above it, are not listed', async () => {
  const view = await viewOf('parse bcryptjs#hash bcryptjs#hash (gc)', { turns: [[0, 4]], threshold: 3 });
  assert.deepEqual([view.blamed, view.shortCalls], [[], '']);
  assert.match(view.verdict ?? '', /bcryptjs/);
});

test('a profile of another project says how to name its folder', async () => {
  const verdictOn = async (drawing: string): Promise<string> =>
    (await viewOf(drawing, { roots: ['/elsewhere'] })).verdict ?? '';
  const start = 'No file of this profile is in /elsewhere. They are in ';
  const end = "if that is on this machine, give it, or the project's folder around it, with --root, or see --all.";
  assert.equal(await verdictOn('parse cart.ts#total yup#cast'), `${start}/app/src: ${end}`);
  assert.equal(await verdictOn('yup#cast marked#lex'), `${start}/app: ${end}`);
  const recorder = '/cache/hotspan/node_modules/hotspan/recorder-0123456789ab.cjs#turn';
  assert.match(await verdictOn(recorder), /^No file of this profile is in \/elsewhere: name the project's folder/);
});

test('with all functions, what the verdict leaves out is listed with its time, its place and the reason', async () => {
  const drawing = `
    ms 1       9                              1      1            9    1      1         4
    (idle)     main.ts#<module>               (idle) parse        (gc) (idle) test#case test#case
    .          node:internal/modules/cjs#load .      node:fs#read .    .      .         .
    .          .                              .      native#open  .    .      .         .
  `;
  const { others } = await viewOf(drawing, { turns: '1-10 11-21 22-27' }, {}, true);
  assertEach(others, ({ figures, label, place }) => [figures, label, place], [
    ['9 ms worst · 1 × >2 ms · garbage collection', 'garbage collection', 'most in src/app.ts:650'],
    ['9 ms worst · 1 × >2 ms · loading', 'loading of modules', 'most in src/main.ts:1'],
    ['≈5 ms worst · 1 × >2 ms · 1 stack · test code', 'case', 'test/app.test.ts:458'],
    ['≈10 ms worst · 1 × >2 ms · 1 stack · garbage collection', 'parse', 'src/app.ts:650'],
  ]);
  assert.deepEqual((await viewOf(drawing, { turns: '1-10 11-21 22-27' })).others, []);
});

test('with all functions, a hotspot has its own time by the clock where others had the processor', async () => {
  const turn: TurnLine = ['turn', drawnStart, drawnStart + 46_000, 16_000, 0, 30_000];
  const drawing = `
    ms 20   20    1      1      1      1      1      1
    parse   parse render render render render render render
  `;
  const { hotspots } = await viewOf(drawing, { turns: [], turnLines: [turn] }, {}, true);
  assertEach(hotspots, ({ label, details }) => [label, details], [
    ['parse', ['40 ms by the clock: the machine was busy']],
    ['render', []],
  ]);
});

test('with all functions, none is of the recorder', async () => {
  const drawing = 'parse                parse                parse\n.      recorder#put recorder#put .\n';
  const { functions } = await viewOf(drawing, { turns: [[0, 3]], threshold: 1 }, {}, true);
  assertEach(functions, ({ label }) => label, ['parse']);
});

test('each of several lines is as uncertain as its function', async () => {
  const analysis = await analysisOf('f f f f\ng g h h', {
    functions: { g: { url: '/app/node_modules/a/a.js', name: 'g' }, h: { url: '/app/node_modules/a/a.js', name: 'h' } },
    text: 'function f() {\n  g();\n  h();\n}\n',
  });
  const view = resultView(analysis, { all: false, sources: await readSources([], async () => null, '/app') });
  assertEach(view.hotspots[0]?.lines ?? [], ({ line, figures }) => [line, figures], [
    [2, '≈20 ms'],
    [3, '≈20 ms'],
  ]);
});

test('a name of any length is one readable line', async () => {
  const { hotspots } = await viewOf(Array.from({ length: 3 }, () => 'p'.repeat(9999)).join(' '), { turns: [[0, 3]] });
  assert.match(hotspots[0]?.label ?? '', /^p{119}…$/);
});

test('where a program without a file is shown, the files of others are not missed', async () => {
  const drawing = '[eval]#parse [eval]#parse [eval]#parse (idle) parse';
  const options = { turns: [[0, 3]], roots: ['/elsewhere'], manifest: { evaluated: true } } as const;
  const view = await viewOf(drawing, options);
  assert.deepEqual([labels(view), view.verdict], [['parse'], '']);
});

describe('source lines', () => {
  test('of files that are not sources are never read', async () => {
    const secrets = { '/home/me/.ssh/id_rsa': 'secret', '/app/a.js': 'code' };
    const { lineOf } = await readSources(
      Object.keys(secrets),
      async (path) => readText(path, memoryWorld(secrets)),
      '/app',
    );
    assert.equal(lineOf('/home/me/.ssh/id_rsa', line1(1)), undefined);
    assert.equal(lineOf('/app/a.js', line1(1)), 'code');
  });
});
