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

interface Recorded {
  readonly report: Report;
  /** What the terminal says, with all hotspots. */
  readonly said: string;
}

async function record(folder: string, args: readonly string[]): Promise<Recorded> {
  const out = path.join(folder, 'recording');
  await runCli(['record', '--quiet', '--out', out, '--', process.execPath, ...args], { cwd: folder });
  const { stdout } = await runCli(['analyze', out, '--all'], { cwd: folder });
  return { report: await reportOf(out, folder), said: stdout };
}

/** The same of a tool, which becomes a file of the folder. */
async function recordTool(folder: string, tool: string): Promise<Recorded> {
  writeFileSync(path.join(folder, 'tool.mjs'), tool);
  return record(folder, ['tool.mjs']);
}

/** `src/a.ts:3 exact`, from the heaviest line. */
function linesOf({ lines }: Report, folder: string): readonly string[] {
  return lines.map(
    ({ url, line, precision }) => `${path.relative(folder, url.replace('file://', ''))}:${line} ${precision}`,
  );
}

/** What loads the sources may be long, too, on a busy machine. */
const isOfSources = (line: string): boolean => line.startsWith('src/');

test('a configuration that a tool runs from a bundled copy in node_modules is the person’s own, though the copy is gone', async () => {
  const plugin = `export function plugin() {\n${spin(600)}\n}\n`;
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
  const { report } = await recordTool(folder, tool);
  assert.deepEqual(linesOf(report, folder).filter(isOfSources), ['src/plugin.js:3 exact']);
});

test('the maps of what a module runner evaluates are kept, though vm has compiled something with a map before', async () => {
  const source = `enum Kind { A, B }\nexport function render() {\n${spin(600)}\n  return Kind.A;\n}\n`;
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
  const { report } = await recordTool(folder, runner);
  assert.deepEqual(linesOf(report, folder).filter(isOfSources), ['src/render.ts:4 exact']);
});

test('no line is past the end of its file: it is unknown, and the reason is said', async () => {
  const folder = temporaryProject({ 'src/short.js': 'export const a = 1;\n' });
  const text = `${'\n'.repeat(30)}module.exports = function far() {\n${spin(600)}\n};\n//# sourceURL=${path.join(folder, 'src/short.js')}`;
  const runner = `const module = { exports: {} };
new Function('module', ${JSON.stringify(text)})(module);
${turn}
await turn(); module.exports(); await turn();`;
  const { report, said } = await recordTool(folder, runner);
  assertNone(linesOf(report, folder), isOfSources);
  assert.match(said, /src\/short\.js \(line unknown\)/);
  assert.match(said, /is not the text of that file: a tool made it in memory/);
});

test('the top level of a bundle is shown at the lines of its sources, in the terminal, too', async () => {
  const loop = (name: string): string =>
    `let ${name} = 0;\nfor (let i = 0; i < 2.5e8; i++) {\n  ${name} += Math.sqrt(i);\n}\n`;
  const folder = temporaryProject({
    'src/main.ts': `import { table } from './table';\n${loop('m')}console.log(m > table);\n`,
    'src/table.ts': `${loop('n')}export const table = n;\n`,
  });
  await bundle(folder, 'src/main.ts');
  const { report, said } = await record(folder, ['out/main.cjs']);
  const lines = linesOf(report, folder);
  assert.ok(
    lines.some((line) => /^src\/main\.ts:[34] /.test(line)) && lines.some((line) => /^src\/table\.ts:[23] /.test(line)),
    lines.join(),
  );
  assert.ok(!lines.some((line) => line.startsWith('out/')), lines.join());
  assert.match(said, /src\/(main|table)\.ts:\d/);
  const limit = await runCli(['analyze', path.join(folder, 'recording'), '--fail-over', '10'], { cwd: folder });
  assert.match(limit.stderr, /main\.cjs \(module\), src\/(main|table)\.ts:\d/);
});

test('the modules in a bundle are loaded, not run: dependencies hold nobody up', async () => {
  const folder = temporaryProject({
    'src/main.js': "const dep = require('dep');\nsetTimeout(() => console.log(dep.length), 10);\n",
    'node_modules/dep/package.json': '{ "name": "dep" }',
    'node_modules/dep/index.js': `${spin(600)}\nmodule.exports = 'dep';\n`,
  });
  await bundle(folder, 'src/main.js');
  const { report, said } = await record(folder, ['out/main.cjs']);
  assert.deepEqual(report.lines, []);
  assert.ok(
    report.modules.some(({ url, totalUs }) => url.endsWith('dep/index.js') && totalUs > 40_000),
    JSON.stringify(report.modules),
  );
  assert.match(said, /Nothing in your code blocks/);
});

test('what tools built without a map comes after what people wrote, and is told apart', async () => {
  const folder = temporaryProject({
    'dist/built.js': `exports.built = () => {\n${spin(800)}\n};\n`,
    'main.js': `const { built } = require('./dist/built.js');\n${turn}\nfunction own() {\n${spin(400)}\n}\n(async () => { await turn(); built(); await turn(); own(); await turn(); })();\n`,
  });
  const { report, said } = await record(folder, ['main.js']);
  const roles = report.functions
    .filter(({ culprit }) => culprit !== null)
    .map(({ name, role }) => `${name} ${role ?? ''}`);
  assert.deepEqual(roles, ['exports.built built', 'own app']);
  assert.match(said, /^All hotspots$[^]* own [^]* exports\.built /m);
  assert.match(said, /\(built file, no source map\)/);
});

test('a call that only loads a package, once, is told as loading and comes last', async () => {
  const folder = temporaryProject({
    'node_modules/views/index.js': `${spin(600)}\nexports.render = () => 1;\n`,
    'main.js': `${turn}\nfunction view(name) {\n  return require(name).render();\n}\nfunction own() {\n${spin(300)}\n}\n(async () => { await turn(); view('views'); await turn(); view('views'); own(); await turn(); })();\n`,
  });
  const { said } = await record(folder, ['main.js']);
  assert.match(said, /loads views: ≈?[\d.]+ m?s the first time/);
  assert.match(said, /^All hotspots$[^]* own [^]*loads views/m);
});

/** Builds `out/main.cjs` of a file and what it imports, with a map. */
async function bundle(folder: string, file: string): Promise<void> {
  const [entryPoints, outfile] = [[path.join(folder, file)], path.join(folder, 'out/main.cjs')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', sourcemap: true, logLevel: 'error' });
}
