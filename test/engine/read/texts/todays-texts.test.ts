import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildSync, type TransformOptions, transformSync } from 'esbuild';
import { PlacesNow } from '../../../../agents/places-now.ts';
import { noKeptMarks } from '../../../../language-server/queries/file-annotations.ts';
import { analyze } from '../../../../engine/analyze.ts';
import { lossesOfOwnCode } from '../../../../engine/judge/hotspots/losses.ts';
import { milliseconds } from '../../../../protocol/units.ts';
import { reportOf } from '../../../../show/report/report.ts';
import { warningText } from '../../../../words/warnings/warning-text.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';
import { temporaryProject } from '../../../helpers/temporary-project.ts';
import { analyzedProcesses, functionsIn, linesIn, profileOf, type RecordedProcess } from './recorded-texts.ts';

const profile = '/app/a.cpuprofile';

/** What is said of a profile of `ran`, with the files of today. `written`: their times, the profile's is 100. */
async function saidOf(ran: RecordedProcess, files: Readonly<Record<string, string>>, written = {}) {
  const { report, warnings } = await reportFor(ran, files, written);
  const changed = warnings.filter(({ type }) => type === 'fileChanged');
  return { functions: functionsIn(report), lines: linesIn(report), changed: changed.map(warningText) };
}

async function reportFor(ran: RecordedProcess, files: Readonly<Record<string, string>>, written = {}) {
  const text = JSON.stringify(profileOf(ran, ran.url ?? '/app/src/a.js'));
  const world = memoryWorld({ [profile]: text, '/app/package.json': '{}', ...files }, { [profile]: 100, ...written });
  const options = { thresholdUs: milliseconds(10), sourceMaps: true, roots: ['/app'] };
  const result = await analyze([profile], world, options);
  assert.ok(result.type === 'analyzed');
  return { report: reportOf(result.analysis, 'long'), warnings: result.analysis.warnings };
}

const work = `function other() { return 1; }
function work(end) {
  let sum = 0;
  for (let at = 0; at < end; at++) sum += at;
  return sum;
}
work(120);
`;
const ran: RecordedProcess = { name: 'work', start: 2, column: 13, hot: 4 };
const here = '/app/src/a.js';
const notRan = 'src/a.js has another text than ran: it was changed, or a tool made what ran in memory: ';

describe('a plain profile of a script', () => {
  test('that did not change has its lines, whatever its time is', async () => {
    assert.deepEqual((await saidOf(ran, { [here]: work })).lines, [`${here}:4`]);
    const afterCheckout = { [here]: 200, '/app/package.json': 200 };
    assert.deepEqual((await saidOf(ran, { [here]: work }, afterCheckout)).lines, [`${here}:4`]);
  });

  test('that became longer has its function on its line of today, and no line inside of it', async () => {
    assert.deepEqual(await saidOf(ran, { [here]: `// one\n// two\n${work}` }), {
      functions: [`work ${here}:4 1 ×`],
      lines: [`${here}:4`],
      changed: [`${notRan}its function was found again. Which of its lines took the time is not known.`],
    });
  });

  test('that was written after it, alone of the project, may have another line there', async () => {
    const edited = work.replace('for (let at = 0; at < end; at++) sum += at', 'sum = (end * (end - 1)) / 2');
    // An edit that was undone: what is said is true of both. Without a package.json the folder's age tells.
    for (const [text, old] of [
      [edited, '/app/package.json'],
      [work, '/app/package.json'],
      [edited, '/app/src'],
    ] as const) {
      const said = await saidOf(ran, { [here]: text }, { [here]: 200, [old]: 50 });
      assert.deepEqual(said.lines, [`${here}:2`]);
      assert.deepEqual(said.changed, [
        'src/a.js was written after this profile, so its lines may be others now: its figures are on its functions.',
      ]);
    }
  });

  test('whose function is gone, or is there twice, has no line', async () => {
    for (const text of [work.replace('function work', 'function works'), `// one\n${work}{ function work() {} }\n`]) {
      const { lines, functions, changed } = await saidOf(ran, { [here]: text });
      assert.deepEqual([functions, lines], [[`work ${here}:0 1 ×`], []]);
      assert.deepEqual(changed, [`${notRan}the lines of its functions are not known. Profile it again.`]);
    }
  });

  test('of a minifier has no function found by a name that each build gives anew', async () => {
    const minified = (first: string): string => `${first}${'x.push(1);'.repeat(100)}function t(n){return n}t(1)\n`;
    const at = minified('').indexOf('(n)');
    const said = await saidOf(
      { name: 't', start: 1, column: at, hot: 1 },
      { [here]: minified('let x=[],longerThanAHead=1;') },
    );
    assert.deepEqual([said.functions, said.lines], [[`t ${here}:0 1 ×`], []]);
  });
});

test('a line of a plain profile of TypeScript is a guess behind the last function that ran, as its compiler may have moved it', async () => {
  const text = 'function total(n: number) {\n  let sum = 0;\n  while (sum < n) sum += price(n);\n  return sum;\n}\n';
  const whole = `${text}function price(n: number) {\n  return n % 7;\n}\n`;
  const inTotal: RecordedProcess = { url: '/app/src/a.ts', name: 'total', start: 1, column: 14, hot: 3 };
  const price = { name: 'price', start: 6, column: 14 };
  for (const [process, precision] of [
    [inTotal, 'shared'],
    [{ ...inTotal, calls: price }, 'exact'],
    [{ ...inTotal, url: here }, 'exact'],
  ] as const) {
    const { report } = await reportFor(process, { [process.url ?? '']: whole });
    const [line, ...others] = report.lines;
    assert.deepEqual([line?.url, line?.line, line?.precision, others], [process.url, 3, precision, []]);
  }
});

const typed = `interface Row { price: number }

export function first(n: number): number {
  return n + 1;
}

export function total(rows: Row[]): number {
  let sum = 0;
  for (const row of rows) {
    sum += Math.sqrt(row.price) % 3;
  }
  return sum;
}
`;
const source = '/app/src/cart.ts';
const longer = `export const a = 1;\n${typed}`;
const dist = '/app/dist/cart.js';

/** What esbuild makes of a source, the files that it writes, and `total` as it ran there. */
function built(text: string, options: TransformOptions = {}) {
  const { code, map } = transformSync(text, {
    loader: 'ts',
    sourcemap: true,
    sourcefile: '../src/cart.ts',
    ...options,
  });
  const start = 1 + code.split('\n').findIndex((line) => line.includes('function total'));
  const inDist: RecordedProcess = { url: dist, name: 'total', start, column: 14, hot: start + 3 };
  return { code, map, inDist, files: { [dist]: `${code}//# sourceMappingURL=cart.js.map\n`, [`${dist}.map`]: map } };
}

describe('a plain profile of what was built from a source', () => {
  const { inDist, files } = built(typed);

  test('has the lines of the source, where that did not change', async () => {
    assert.deepEqual((await saidOf(inDist, { ...files, [source]: typed })).lines, [`${source}:10`]);
  });

  test('has the lines of today, where its map has the text that was built', async () => {
    const { lines, changed } = await saidOf(inDist, { ...files, [source]: longer });
    assert.deepEqual(lines, [`${source}:11`]);
    assert.match(
      changed.join('\n'),
      /^src\/cart\.ts has another .+: its function was found again\. Lines are those of today\.$/,
    );
  });

  test('has no line inside of a function that was rewritten', async () => {
    const rewritten = longer.replace('Math.sqrt(row.price) % 3', 'row.price');
    const { lines, functions } = await saidOf(inDist, { ...files, [source]: rewritten });
    assert.deepEqual([functions, lines], [[`total ${source}:8 1 ×`], [`${source}:8`]]);
  });

  test('has the function by its name, where it was built again', async () => {
    const text = longer.replace('return n + 1;', 'if (n < 0) return 0;\n  return n + 1;');
    const { lines, changed } = await saidOf(inDist, { ...built(text).files, [source]: text });
    assert.deepEqual(lines, [`${source}:9`]);
    assert.match(changed.join('\n'), /^dist\/cart\.js has another text than ran/);
  });
});

test('without the built text in the map, lines are found again by their words', async () => {
  const { inDist, files } = built(typed, { sourcesContent: false });
  const lineIn = async (text: string): Promise<readonly string[]> =>
    (await saidOf(inDist, { ...files, [source]: text })).lines;
  assert.deepEqual(await lineIn(typed), [`${source}:10`]);
  assert.deepEqual(await lineIn(longer), [`${source}:11`]);
  assert.deepEqual(await lineIn(longer.replace('Math.sqrt(row.price)', 'Math.cbrt(row.price)')), [`${source}:8`]);
  assert.deepEqual(await lineIn(longer.replace('(row.price)', '(row.price) + tax(1)')), [`${source}:8`]);
  assert.deepEqual(await lineIn(longer.replace('function total', 'function renamed')), []);
});

describe('a recording of what was built from a source', () => {
  const edited = typed.replace('Math.sqrt(row.price) % 3', 'row.price');
  const times = { [source]: 200, [dist]: 100 };
  const [roots, notes, note] = [['/app'], '/rec/read.texts.jsonl', JSON.stringify({ url: source, script: dist })];
  for (const [what, text, written, line, isSaid, more = {}, sourcesContent = false] of [
    ['that was edited later has its functions by name', edited, times, 7, true],
    ['that a checkout wrote again has its lines', typed, times, 10, false],
    ['with times that say nothing has its lines', edited, { [source]: 100, [dist]: 100 }, 10, false],
    ['that a reader noted was built since', edited, { ...times, [dist]: 300 }, 7, true, { [notes]: note }],
    ['that a reader did not note was edited since', edited, times, 10, false, { [notes]: '' }],
    ['has the lines of the text that ran, if its map has that', edited, times, 10, true, {}, true],
    ['with another comment is what was built', `${typed}// new\n`, times, 10, false, {}, true],
  ] as const) {
    test(what, async () => {
      const { inDist, files } = built(typed, { sourcesContent });
      const ran = { ...inDist, text: files[dist] ?? '' };
      const { analysis } = await analyzedProcesses([ran], { ...files, [source]: text, ...more }, { roots }, written);
      const said = analysis.warnings.filter(({ type }) => type === 'outdatedBuild');
      const lines = reportOf(analysis, 'long').lines.map((one) => one.line);
      const sentence = `src/cart.ts has changed since dist/cart.js was built: its figures are for the older code. Build it and measure again.`;
      assert.deepEqual([lossesOfOwnCode(analysis, milliseconds(1000)), lines], [said, [line]]);
      assert.deepEqual(said.map(warningText), isSaid ? [sentence] : []);
      const now = new PlacesNow({ analysis, folders: roots, kept: noKeptMarks, texts: new Map([[source, text]]) });
      assert.deepEqual(await now.changedFiles(), isSaid ? ['src/cart.ts'] : []);
      assert.equal((await now.of(analysis.lines[0]?.functionIds[0] ?? -1)).isChanged, isSaid);
    });
  }
});

describe('a script that names no source map on this machine', () => {
  const { code, map, inDist } = built(typed);
  const comment = '//# sourceMappingURL=https://maps.example/cart.js.map\n';

  test('has the lines of the one beside it, if that fits', async () => {
    for (const text of [code, `${code}${comment}`]) {
      const files = { [dist]: text, [`${dist}.map`]: map, [source]: typed };
      assert.deepEqual((await saidOf(inDist, files)).lines, [`${source}:10`]);
    }
  });

  test('has its own lines where that is of another build', async () => {
    const other = `export const words = 'one two three';\n\n\n${longer.replaceAll(/row|sum|price/g, 'other')}`;
    const { lines } = await saidOf(inDist, { [dist]: code, [`${dist}.map`]: built(other).map, [source]: typed });
    assert.deepEqual(lines, [`${dist}:${inDist.hot}`]);
  });
});

test('the body of a module in a bundle that may be another now has no line inside of it', async () => {
  const module = `exports.table = [];\nfor (let at = 0; at < 1e7; at++) {\n  exports.table.push(at % 3);\n}\n`;
  const dir = temporaryProject({ 'src/main.js': "require('./table.js');\n", 'src/table.js': module });
  const options = {
    bundle: true,
    write: false,
    sourcemap: 'external',
    absWorkingDir: dir,
    logLevel: 'silent',
  } as const;
  const { outputFiles } = buildSync({ ...options, entryPoints: ['src/main.js'], outfile: 'dist/main.js' });
  const [map, code] = outputFiles.map(({ text }) => text);
  const dist = '/app/dist/main.js';
  const lines = (code ?? '').split('\n');
  const start = lines.findIndex((line) => line.includes('"src/table.js"('));
  const hot = 1 + lines.findIndex((line) => line.includes('.push('));
  const inDist = { url: dist, name: 'src/table.js', start: start + 1, column: lines[start]?.indexOf('(') ?? -1, hot };
  const files = { [dist]: `${code}//# sourceMappingURL=main.js.map\n`, [`${dist}.map`]: map ?? '' };
  const source = '/app/src/table.js';
  const linesIf = async (written: object): Promise<readonly string[]> =>
    (await saidOf(inDist, { ...files, [source]: module }, written)).lines;
  assert.deepEqual(await linesIf({}), [`${source}:3`]);
  assert.deepEqual(await linesIf({ [dist]: 200, [source]: 200, '/app/package.json': 50 }), [`${source}:1`]);
});

test('what a bundler or a development server made of a file is named by the function of that file', async () => {
  for (const url of [
    'webpack-internal:///(rsc)/./src/cart.ts',
    'webpack:///./src/cart.ts?1a2b',
    'http://localhost:5173/src/cart.ts?t=1',
  ]) {
    const { functions, lines } = await saidOf({ ...ran, url, name: 'total' }, { [source]: typed });
    assert.deepEqual([functions, lines], [[`total ${source}:7 1 ×`], [`${source}:7`]], url);
  }
});

test('what a server sent from the folder of a build has the lines of its sources, by the map there', async () => {
  const dist = '/app/dist/assets/cart.js';
  const built = (text: string) =>
    transformSync(text, { loader: 'ts', sourcemap: true, sourcefile: '../../src/cart.ts' });
  const filesOf = (text: string): Readonly<Record<string, string>> => {
    const { code, map } = built(text);
    return { [dist]: `${code}//# sourceMappingURL=cart.js.map\n`, [`${dist}.map`]: map, [source]: text };
  };
  const start = built(typed)
    .code.split('\n')
    .findIndex((line) => line.includes('function total'));
  const url = 'http://localhost:4173/assets/cart.js';
  const sent: RecordedProcess = { url, name: 'total', start: start + 1, column: 14, hot: start + 4 };
  assert.deepEqual((await saidOf(sent, filesOf(typed))).lines, [`${source}:10`]);
  const other = await saidOf(sent, filesOf(typed.replace('return n + 1', 'if (n < 0) return 0;\n  return n + 1')));
  assert.match(other.changed.join(), /^dist\/assets\/cart\.js has another text than ran/);
});

test('a relative path is the file of the workspace', async () => {
  const { lines } = await saidOf({ ...ran, url: 'src/a.js' }, { [here]: work });
  assert.deepEqual(lines, [`${here}:4`]);
});
