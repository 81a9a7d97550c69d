// What tools do to code before it runs, each by a small program of its own; `npm --prefix lab run toolchains` has the real tools.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import type { Report } from '../../protocol/report.ts';
import { assertNone } from '../helpers/assert-each.ts';
import { reportOf } from '../helpers/report-schema.ts';
import { runCli } from '../helpers/run-cli.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

/** About so many ms, on its second line. Longer than the sampler may get no processor beside other tests. */
const spin = (ms: number): string => `let n = 0;
for (let i = 0; i < ${ms * 6e5}; i++) n += Math.sqrt(i); // HOT`;
const turn = 'const turn = () => new Promise((done) => setTimeout(done, 12));';

/** Records a file of the folder; a tool's text becomes one. */
async function record(folder: string, file: string, text?: string): Promise<void> {
  if (text !== undefined) writeFileSync(path.join(folder, file), text);
  const words = ['record', '--quiet', '--out', 'recording', '--', process.execPath, file];
  await runCli(words, { cwd: folder });
}

const reportIn = async (folder: string): Promise<Report> => reportOf('recording', folder);

/** What the terminal says, with all hotspots. */
const saidIn = async (folder: string): Promise<string> =>
  (await runCli(['analyze', 'recording', '--all'], { cwd: folder })).stdout;

/** `src/a.ts:3 exact`, from the heaviest line. */
function linesOf({ lines }: Report, folder: string): readonly string[] {
  return lines.map(
    ({ url, line, precision }) => `${path.relative(folder, url.replace('file://', ''))}:${line} ${precision}`,
  );
}

/** What loads the sources may be long, too, on a busy machine. */
const isOfSources = (line: string): boolean => line.startsWith('src/');

test('a configuration that a tool runs from a bundled copy in node_modules is the person’s own, though the copy is gone', async () => {
  const plugin = `export function plugin() {\n${spin(250)}\n}\n`;
  const folder = temporaryProject({
    'src/plugin.js': plugin,
    'node_modules/.tool-temp/package.json': '{"type":"module"}',
  });
  const { outputFiles } = await build({
    entryPoints: [path.join(folder, 'src/plugin.js')],
    outfile: path.join(folder, 'node_modules/.tool-temp/config.mjs'),
    ...({ bundle: true, format: 'esm', sourcemap: 'inline', write: false } as const),
  });
  const copy = path.join(folder, 'node_modules/.tool-temp/config.mjs');
  const tool = `import { writeFileSync, rmSync } from 'node:fs';
writeFileSync(${JSON.stringify(copy)}, ${JSON.stringify(outputFiles[0]?.text)});
const { plugin } = await import(${JSON.stringify(copy)});
rmSync(${JSON.stringify(copy)});
${turn}
await turn(); plugin(); await turn();`;
  await record(folder, 'tool.mjs', tool);
  assert.deepEqual(linesOf(await reportIn(folder), folder).filter(isOfSources), ['src/plugin.js:3 exact']);
});

test('the maps of what a module runner evaluates are kept, though vm has compiled something with a map before', async () => {
  const source = `enum Kind { A, B }\nexport function render() {\n${spin(250)}\n  return Kind.A;\n}\n`;
  const folder = temporaryProject({ 'src/render.ts': source });
  const { outputFiles } = await build({
    entryPoints: [path.join(folder, 'src/render.ts')],
    ...({ bundle: false, format: 'cjs', sourcemap: 'inline', write: false, outdir: path.join(folder, 'src') } as const),
  });
  const [code = '', map = ''] = (outputFiles[0]?.text ?? '').split(
    '//# sourceMappingURL=data:application/json;base64,',
  );
  // V8 puts two lines in front of a function that is made of text.
  const json: unknown = JSON.parse(Buffer.from(map, 'base64').toString().replace('"mappings": "', '"mappings": ";;'));
  const comment = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(json)).toString('base64')}`;
  const text = `${code}${comment}\n//# sourceURL=${path.join(folder, 'src/render.ts')}`;
  const runner = `import vm from 'node:vm';
new vm.Script('1\\n//# sourceMappingURL=data:application/json;base64,${Buffer.from('{"version":3,"sources":["c.ts"],"names":[],"mappings":"AAAA"}').toString('base64')}', { filename: ${JSON.stringify(path.join(folder, 'c.ts'))} });
const module = { exports: {} };
const AsyncFunction = (async () => {}).constructor;
await new AsyncFunction('module', ${JSON.stringify(text)})(module);
${turn}
await turn(); module.exports.render(); await turn();`;
  await record(folder, 'tool.mjs', runner);
  assert.deepEqual(linesOf(await reportIn(folder), folder).filter(isOfSources), ['src/render.ts:4 exact']);
});

test('no line is past the end of its file: it is unknown, and the reason is said', async () => {
  const folder = temporaryProject({ 'src/short.js': 'export const a = 1;\n' });
  const text = `${'\n'.repeat(30)}module.exports = function far() {\n${spin(250)}\n};\n//# sourceURL=${path.join(folder, 'src/short.js')}`;
  const runner = `const module = { exports: {} };
new Function('module', ${JSON.stringify(text)})(module);
${turn}
await turn(); module.exports(); await turn();`;
  await record(folder, 'tool.mjs', runner);
  assertNone(linesOf(await reportIn(folder), folder), isOfSources);
  const said = await saidIn(folder);
  assert.match(said, /src\/short\.js \(line unknown\)/);
  assert.match(said, /is not the text of that file: a tool made it in memory/);
});

test('the top level of a bundle is shown at the lines of its sources, in the terminal, too', async () => {
  const loop = (name: string): string =>
    `let ${name} = 0;\nfor (let i = 0; i < 1.2e8; i++) {\n  ${name} += Math.sqrt(i);\n}\n`;
  const folder = temporaryProject({
    'src/main.ts': `import { table } from './table';\n${loop('m')}console.log(m > table);\n`,
    'src/table.ts': `${loop('n')}export const table = n;\n`,
  });
  await bundle(folder, 'src/main.ts');
  await record(folder, 'out/main.cjs');
  const lines = linesOf(await reportIn(folder), folder);
  assert.ok(
    lines.some((line) => /^src\/main\.ts:[34] /.test(line)) && lines.some((line) => /^src\/table\.ts:[23] /.test(line)),
    lines.join(),
  );
  assert.ok(!lines.some((line) => line.startsWith('out/')), lines.join());
  const limit = await runCli(['analyze', 'recording', '--fail-over', '10'], { cwd: folder });
  assert.match(limit.stdout, /src\/(main|table)\.ts:\d/);
  assert.match(limit.stderr, /main\.cjs \(module\), src\/(main|table)\.ts:\d/);
});

test('the modules in a bundle are loaded, not run: dependencies hold nobody up', async () => {
  const folder = temporaryProject({
    'src/main.js': "const dep = require('dep');\nsetTimeout(() => console.log(dep.length), 10);\n",
    'node_modules/dep/package.json': '{ "name": "dep" }',
    'node_modules/dep/index.js': `${spin(250)}\nmodule.exports = 'dep';\n`,
  });
  await bundle(folder, 'src/main.js');
  await record(folder, 'out/main.cjs');
  const report = await reportIn(folder);
  assert.deepEqual(report.lines, []);
  assert.ok(
    report.modules.some(({ url, totalUs }) => url.endsWith('dep/index.js') && totalUs > 40_000),
    JSON.stringify(report.modules),
  );
  assert.match(await saidIn(folder), /Nothing in your code blocks/);
});

test('what tools built without a map comes after what people wrote, and is told apart', async () => {
  const folder = temporaryProject({
    'dist/built.js': `exports.built = () => {\n${spin(400)}\n};\n`,
    'main.js': `const { built } = require('./dist/built.js');\n${turn}\nfunction own() {\n${spin(200)}\n}\n(async () => { await turn(); built(); await turn(); own(); await turn(); })();\n`,
  });
  await record(folder, 'main.js');
  const roles = (await reportIn(folder)).functions
    .filter(({ culprit }) => culprit !== null)
    .map(({ name, role }) => `${name} ${role ?? ''}`);
  assert.deepEqual(roles, ['exports.built built', 'own app']);
  const said = await saidIn(folder);
  assert.match(said, /^All hotspots$[^]* own [^]* exports\.built /m);
  assert.match(said, /\(built file, no source map\)/);
});

test('a call that only loads a package, once, is told as loading and comes last', async () => {
  const folder = temporaryProject({
    'node_modules/views/index.js': `${spin(250)}\nexports.render = () => 1;\n`,
    'main.js': `${turn}\nfunction view(name) {\n  return require(name).render();\n}\nfunction own() {\n${spin(150)}\n}\n(async () => { await turn(); view('views'); await turn(); view('views'); own(); await turn(); })();\n`,
  });
  await record(folder, 'main.js');
  const said = await saidIn(folder);
  assert.match(said, /loads views: ≈?[\d.]+ m?s the first time/);
  assert.match(said, /^All hotspots$[^]* own [^]*loads views/m);
});

/** Builds `out/main.cjs` of a file and what it imports, with a map. */
async function bundle(folder: string, file: string): Promise<void> {
  const [entryPoints, outfile] = [[path.join(folder, file)], path.join(folder, 'out/main.cjs')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', sourcemap: true, logLevel: 'error' });
}
