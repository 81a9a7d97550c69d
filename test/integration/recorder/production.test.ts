import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { addUp, readHistogramLog } from '../../../engine/cut/event-loop/compare-histograms.ts';
import { fieldsOf, parseJson } from '../../../protocol/json-value.ts';
import { turnClassBounds } from '../../../protocol/recording-lines.ts';
import { assertEach, assertNone } from '../../helpers/assert-each.ts';
import { projectFile } from '../../helpers/project.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';

const folder = temporaryProject({
  'package.json': '{}',
  'app.js': `const { pbkdf2Sync } = require('node:crypto');
function block() { pbkdf2Sync('secret', 'salt', 100_000, 32, 'sha512'); }
let left = 3;
const timer = setInterval(() => { block(); left -= 1; if (left === 0) clearInterval(timer); }, 1);
console.log('started');`,
});

/** Runs Node with no other variables than these and the PATH. */
async function run(env: NodeJS.ProcessEnv, args: readonly string[], cwd: string) {
  return promisify(execFile)(process.execPath, args, { cwd, env: { PATH: process.env['PATH'], ...env } });
}

/** The same with the recorder required by hand, as in production. */
const runByHand = async (env: NodeJS.ProcessEnv, file = 'app.js', cwd = folder) =>
  run(env, ['--require', projectFile('dist/recorder.cjs'), file], cwd);

test('HOTSPAN_DIR alone makes a recording that can be analysed, and that only its owner can read', async () => {
  const out = path.join(folder, 'deep/out');
  const { stdout, stderr } = await runByHand({ HOTSPAN_DIR: out });
  assert.deepEqual([stdout, stderr], ['started\n', '']);
  for (const name of readdirSync(out)) assert.equal(statSync(path.join(out, name)).mode & 0o077, 0, name);
  assert.equal(statSync(out).mode & 0o077, 0);
  assert.match((await runCli(['analyze', out], { cwd: folder })).stdout, /\d × >10 ms.* block {2}app\.js:2/);
});

test('HOTSPAN_MAX_SIZE limits such a recording, and 0 says that it has no limit', async () => {
  const limitOf = async (limit: string | undefined): Promise<unknown> => {
    const out = path.join(folder, `limit-${limit}`);
    await runByHand({ HOTSPAN_DIR: out, HOTSPAN_MAX_SIZE: limit });
    return fieldsOf(parseJson(readFileSync(path.join(out, 'recording.json'), 'utf8')))['mostBytes'];
  };
  assert.deepEqual([await limitOf(undefined), await limitOf('5'), await limitOf('0')], [2e9, 5e6, null]);
});

test('relative paths are seen from where the program began, whatever folder it changes to', async () => {
  const away = temporaryProject({ 'away.js': `process.chdir('data');`, 'data/x': '' });
  const files = { HOTSPAN_MODE: 'histogram', HOTSPAN_LOG: 'turns.log', HOTSPAN_METRICS: 'turns.prom' };
  for (const env of [{ HOTSPAN_DIR: 'out' }, files]) await runByHand(env, 'away.js', away);
  assert.equal(readdirSync(path.join(away, 'out')).filter((name) => name.endsWith('.cpuprofile')).length, 1);
  assert.deepEqual(readdirSync(away), ['away.js', 'data', 'out', 'turns.log', 'turns.prom']);
  assert.deepEqual(readdirSync(path.join(away, 'data')), ['x']);
});

test('HOTSPAN_MODE=histogram logs turns by their length, to stderr or a file, and nothing else', async () => {
  const log = path.join(folder, 'turns.log');
  const toStderr = await runByHand({ HOTSPAN_MODE: 'histogram' });
  const toFile = await runByHand({ HOTSPAN_MODE: 'histogram', HOTSPAN_LOG: log });
  assert.deepEqual([toStderr.stdout, toFile.stdout, toFile.stderr], ['started\n', 'started\n', '']);
  for (const text of [toStderr.stderr, readFileSync(log, 'utf8')]) {
    assert.equal(text.trim().split('\n').length, 1);
    const long = addUp(readHistogramLog(text)).filter(({ below }) => below === null || below > 10_000);
    assert.ok(long.reduce((sum, { count }) => sum + count, 0) >= 3, text);
  }
  assertNone(readdirSync(folder), (name) => name.endsWith('.cpuprofile'));
  for (const [name, mode] of [['HOTSPAN_LOG', 'histogram'] as const, ['HOTSPAN_METRICS', ''] as const]) {
    const { stderr } = await runByHand({ [name]: 'gone/turns', HOTSPAN_MODE: mode });
    assert.match(stderr, new RegExp(`^hotspan: ${name}=.*gone/turns cannot be written \\(ENOENT\\): .*\\n$`));
  }
});

test('HOTSPAN_METRICS writes OpenMetrics that a scraper of another user can read, and nothing else', async () => {
  const { stdout, stderr } = await runByHand({ HOTSPAN_METRICS: path.join(folder, 'turns-%p.prom') });
  assert.deepEqual([stdout, stderr], ['started\n', '']);
  const [name = '', ...others] = readdirSync(folder).filter((file) => file.includes('.prom'));
  assert.deepEqual(others, []);
  const text = readFileSync(path.join(folder, name), 'utf8');
  assert.ok(text.length < 1500 && text.endsWith('\n# EOF\n'), text);
  assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o644);
  const samples = readMetrics(text);
  const buckets = samples.filter(({ name: of }) => of === 'hotspan_turn_seconds_bucket');
  assertEach(buckets, ({ le }) => Number(le.replace('+Inf', 'Infinity')) * 1e6, [...turnClassBounds, Infinity]);
  assert.ok(buckets.every(({ value }, at) => value >= (buckets[at - 1]?.value ?? 0)));
  const valueOf = (of: string): number => samples.find((one) => one.name === of)?.value ?? Number.NaN;
  const count = valueOf('hotspan_turn_seconds_count');
  assert.equal(buckets.at(-1)?.value, count);
  assert.ok(count - (buckets.find(({ le }) => le === '0.01')?.value ?? count) >= 3, text);
  assert.ok(valueOf('hotspan_longest_turn_seconds') > 0.01);
  assert.ok(valueOf('hotspan_turn_seconds_sum') > valueOf('hotspan_longest_turn_seconds'));
  assert.ok(valueOf('hotspan_gc_seconds_total') >= 0);
});

test('hotspan/metrics registers the turns where the program keeps its metrics, or says what is missing', async () => {
  const project = temporaryProject({
    'package.json': '{}',
    'node_modules/prom-client/index.js': `exports.register = { all: {}, registerMetric(metric) { this.all[metric.name] = metric; } };`,
    'app.mjs': `import { pbkdf2Sync } from 'node:crypto';
import client from 'prom-client';
const block = () => pbkdf2Sync('secret', 'salt', 100_000, 32, 'sha512');
// The loop runs, and is held before anything is measured: this is in no figure.
await new Promise((resolve) => setImmediate(resolve));
block();
const { registerIn } = await import(${JSON.stringify(projectFile('dist/metrics.cjs'))});
const own = { all: 0, registerMetric() { this.all += 1; } };
if (process.env.OWN) registerIn(own);
if (process.env.WRONG) registerIn({});
setTimeout(block, 1);
const valuesOf = (name) => JSON.stringify(client.register.all[name]?.get().values);
process.on('exit', () => console.log(own.all, valuesOf('hotspan_turn_seconds'), valuesOf('hotspan_longest_turn_seconds')));`,
    'alone/app.cjs': `require(${JSON.stringify(projectFile('dist/metrics.cjs'))});`,
  });
  const { stdout, stderr } = await run({}, ['app.mjs'], project);
  assert.equal(stderr, '');
  const count = (le: string) => Number(new RegExp(`"le":"${le}"},"value":(\\d+)`).exec(stdout)?.[1]);
  assert.ok(count('\\+Inf') > count('0.01'), stdout);
  const [sum = 0, longest = 0] = [
    ...stdout.matchAll(/(?:_sum","labels":\{\}|\[\{"labels":\{\}),"value":([\d.]+)/g),
  ].map(([, seconds]) => Number(seconds));
  assert.ok(longest > 0.01 && sum >= longest, stdout);

  assert.match((await run({ OWN: '1' }, ['app.mjs'], project)).stdout, /^4 undefined/);
  await assert.rejects(
    run({ WRONG: '1' }, ['app.mjs'], project),
    /TypeError: registerIn of hotspan\/metrics needs a Registry/,
  );
  rmSync(path.join(project, 'node_modules'), { recursive: true });
  const alone = await run({}, ['app.cjs'], path.join(project, 'alone'));
  assert.match(
    alone.stderr,
    /^hotspan\/metrics measures nothing: .* neither .* Install one of them, or .*HOTSPAN_METRICS=/,
  );
  assert.equal(alone.stderr.trim().split('\n').length, 1);
  const option = Number(process.versions.node.split('.')[0]) < 24 ? '--experimental-permission' : '--permission';
  const closed = await run({}, [option, '--allow-fs-read=*', 'app.cjs'], path.join(project, 'alone'));
  assert.match(closed.stderr, /^hotspan\/metrics measures Node\.js alone, and not with --permission\.$/m);
});

/** Reads OpenMetrics strictly: each family has its type first, in one piece, and each sample the pid. */
function readMetrics(text: string): readonly { readonly name: string; readonly le: string; readonly value: number }[] {
  const families: string[] = [];
  return text
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const [, type] = /^# TYPE (\w+) (?:histogram|gauge|counter)$/.exec(line) ?? [];
      if (type !== undefined) assert.ok(!families.includes(type) && families.push(type) > 0, line);
      const family = families.at(-1) ?? '';
      const [, about, unit] = /^# (?:UNIT|HELP) (\w+) (.+)$/.exec(line) ?? [];
      if (about !== undefined) assert.ok(about === family && (unit !== 'seconds' || about.endsWith('seconds')), line);
      if (line.startsWith('# ')) return [];
      const [, name = '', le = '', value] = /^(\w+)\{pid="\d+"(?:,le="([^"]+)")?\} ([\d.e+-]+)$/.exec(line) ?? [];
      assert.ok(name.startsWith(family) && /^(_bucket|_sum|_count|_total)?$/.test(name.slice(family.length)), line);
      return [{ name, le, value: Number(value) }];
    });
}

test('hotspan histogram compares that log with a recording of the same program', async () => {
  const compared = async (log: string) => runCli(['histogram', log, 'same'], { cwd: folder });
  await runByHand({ HOTSPAN_MODE: 'histogram', HOTSPAN_LOG: path.join(folder, 'same.log') });
  await runCli(['record', '--quiet', '--out', 'same', '--', 'node', 'app.js'], { cwd: folder });
  writeFileSync(path.join(folder, 'same.log.gz'), gzipSync(readFileSync(path.join(folder, 'same.log'))));
  const [plain, packed] = [await compared('same.log'), await compared('same.log.gz')];
  assert.deepEqual(packed, { ...plain, code: 0 }, packed.stderr);
  assert.match(plain.stdout, /^turns of +production +recording\n/);
  const strange = await compared('package.json');
  assert.equal(strange.code, 2);
  assert.match(strange.stderr, /has no line of HOTSPAN_MODE=histogram/);
});
