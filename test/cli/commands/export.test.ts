import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { groupBy } from '../../../engine/basics/lists.ts';
import { isList, isRecord, parseJson } from '../../../protocol/json-value.ts';
import { filePathOf } from '../../../engine/read/files/file-path.ts';
import { copyFixture } from '../../helpers/recording-fixtures.ts';
import { parseReport } from '../../helpers/report-schema.ts';
import { runHere } from '../../helpers/run-here.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';
import { type Files, write } from '../../helpers/temporary-repository.ts';
import { placedProfile } from '../../helpers/placed-profile.ts';

/** The nanoseconds of each function in a pprof profile: on top of stacks, and on them. By name, file and first line. */
function timesIn(file: string): ReadonlyMap<string, { self: number; total: number }> {
  const { stringTable, sample, location, function: functions } = Profile.decode(gunzipSync(readFileSync(file)));
  const text = (index: unknown): string => stringTable.strings[Number(index)] ?? '';
  const keyOf = new Map(
    functions.map((fn) => [Number(fn.id), `${text(fn.name)} ${text(fn.filename)}:${Number(fn.startLine)}`]),
  );
  const at = new Map(location.map(({ id, line }) => [Number(id), keyOf.get(Number(line[0]?.functionId)) ?? '']));
  const times = new Map<string, { self: number; total: number }>();
  for (const { locationId, value } of sample) {
    assert.ok(value.every((one) => Number(one) >= 0));
    const held = Number(value[1]);
    const stack = locationId.map((id) => at.get(Number(id)) ?? '');
    for (const key of new Set(stack)) {
      const time = times.get(key) ?? { self: 0, total: 0 };
      times.set(key, { self: time.self + (key === stack[0] ? held : 0), total: time.total + held });
    }
  }
  return times;
}

describe('of the shop', () => {
  const { project, recording } = copyFixture('shop/first');
  const exported = async (...options: readonly string[]): Promise<string> => {
    const out = path.join(temporaryProject({}), 'out');
    const { code, stderr } = await runHere(['export', recording, ...options, '-o', out], { cwd: project });
    assert.equal(code, 0, stderr);
    return out;
  };

  test('pprof has the times of hotspan analyze, and lines, tests and routes', async () => {
    const out = await exported();
    const times = timesIn(out);
    const { functions } = parseReport((await runHere(['analyze', recording, '--json'], { cwd: project })).stdout);
    const keyOf = ({ label, url, line }: (typeof functions)[number]): string =>
      `${label === '' ? '(anonymous)' : label} ${filePathOf(url) ?? url}:${Math.max(0, line)}`;
    // Some minified functions are on one line, under one name.
    const long = [...groupBy(functions, keyOf)].flatMap(([key, own]) =>
      own.length === 1 ? [[key, own[0]] as const] : [],
    );
    const compared = long.flatMap(([key, fn]) => (fn === undefined || fn.totalUs <= 10_000 ? [] : [{ key, ...fn }]));
    assert.ok(compared.length > 100);
    for (const { key, selfUs, totalUs } of compared) {
      const { self, total } = times.get(key) ?? { self: 0, total: 0 };
      assert.ok(Math.abs(total - totalUs * 1000) <= totalUs * 10, `${key} ${total} ${totalUs}`);
      if (selfUs > 10_000) assert.ok(Math.abs(self - selfUs * 1000) <= selfUs * 10, `${key} ${self} ${selfUs}`);
    }
    const { stringTable, location, mapping, function: named } = Profile.decode(gunzipSync(readFileSync(out)));
    for (const text of ['samples', 'held', 'wall', 'thread', 'test', 'route', 'catalogue > ends with the last page'])
      assert.ok(stringTable.strings.includes(text), text);
    assert.ok(stringTable.strings.some((text) => text === 'GET /products'));
    assert.ok(location.some(({ line: [line] }) => Number(line?.line) === 23));
    const starts = new Map(named.map(({ id, startLine }) => [id, startLine]));
    const ran = location.flatMap(({ line }) => line);
    assert.ok(ran.every(({ functionId, line }) => Number(line) >= Number(starts.get(functionId))));
    assert.equal(stringTable.strings[Number(mapping[0]?.filename)], 'node');
    // Else pprof takes them for C++: `RegExp: ^([a-z]+)@` would be `RegExp: ^@`.
    assert.ok(named.every(({ systemName }) => stringTable.strings[Number(systemName)] === ''));
  });

  test('one operation alone has its time, in every format', async () => {
    const lines = readFileSync(await exported('--format', 'folded', '--operation', 'worst'), 'utf8')
      .trim()
      .split('\n');
    const us = lines.reduce((sum, line) => sum + Number(/ (\d+)$/.exec(line)?.[1]), 0);
    assert.ok(us > 240_000 && us < 300_000, String(us));
    const speedscope = parseJson(readFileSync(await exported('--format', 'speedscope', '--operation', '1'), 'utf8'));
    const [profile] = isRecord(speedscope) && isList(speedscope['profiles']) ? speedscope['profiles'] : [];
    assert.ok(isRecord(profile) && Math.abs(Number(profile['endValue']) - us) < 1000);
    const { durationNanos } = Profile.decode(gunzipSync(readFileSync(await exported('--operation', '1'))));
    assert.ok(Math.abs(Number(durationNanos) / 1000 - us) < 50_000, String(durationNanos));
    const refused = await runHere(['export', recording, '--operation', '99999'], { cwd: project });
    assert.deepEqual(
      [refused.code, /Operation 99999 does not exist: \d+ operations can/.test(refused.stderr)],
      [2, true],
    );
  });

  test('a .cpuprofile opens here again, with the same worst function', async () => {
    const out = await exported('--format', 'cpuprofile');
    const { stdout } = await runHere(['analyze', out, '--json', '--brief', '--explain', 'snapshot'], { cwd: project });
    assert.match(stdout, /"at": "src\/catalogue\/catalogue\.js:2[123]"/);
  });
});

/** A profile in which each of these functions runs for so many ms. */
function profileOf(ms: number, ...frames: readonly (readonly [name: string, url: string])[]): string {
  const functions = frames.map(([name, url], index) => [`f${index}`, { name, url, line: 1, column: 0 }] as const);
  const rows = functions.map(([id]) => `${id} `.repeat(ms)).join('');
  return placedProfile(rows, { functions: Object.fromEntries(functions), sampleMs: 1 });
}

test('the worst operation is one that something waits for, unless the recording has none', async () => {
  const ofWorker = profileOf(300, ['work', 'file:///app/a.js']);
  const worker = { 'recording.json': '{ "version": 2, "command": ["node"] }', '7-1-b.0.cpuprofile': ofWorker };
  const worst = async (files: Files) => {
    const cwd = temporaryProject(files);
    return (await runHere(['export', '.', '--format', 'folded', '--operation', 'worst'], { cwd })).stdout;
  };
  const main = profileOf(60, ['handle', 'file:///app/a.js']).replaceAll('"lineNumber":1', '"lineNumber":-1');
  assert.match(await worst({ ...worker, '7-0-a.0.cpuprofile': main }), /handle \S+\/a\.js 60000\n$/);
  assert.match(await worst(worker), /work \S+ 300000\n$/);
});

test('--scrub lets nothing out that was planted', async (t) => {
  const home = temporaryProject({});
  t.mock.method(os, 'homedir', () => home);
  const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
  const root = path.join(temporaryProject({ 'job-1/src/a.js': 'function work() {}\n' }), 'job-1');
  const profile = profileOf(
    30,
    ['work', `file://${root}/src/a.js?token=${secret}`],
    [`key ${secret}`, `https://me:${secret}@example.com/x.js?q=${secret}`],
    ['mine', `file://${home}/private/b.js`],
    ['odd', `file://${root}/src/a%20%23odd%3F/c%3F.js?token=${secret}`],
    ['inner', `http://localhost/@fs${root}/src/f.js`],
    ['plain', `${root}/src/e.ts?x&token=${secret}/a`],
    ['inline', `data:text/javascript,const key='${secret}'`],
  );
  const command = ['node', 'app.js', `--password=${secret}`, 'plain-argument'];
  const manifest = { version: 2, command, cwd: root, startedAt: '2026-01-31T12:00:00.000Z' };
  const recording = path.join(root, 'recording');
  // The recorder has left ids out of the route.
  const served = `/@fs${root}/src/g.js`.replaceAll(/[^/]*\d[^/]*/g, '*');
  const requests = `["route",0,"GET","${served}","path"]\n["request",0,-1,0,1000000]\n`;
  const files = { '7-0-a.0.cpuprofile': profile, '7-0-a.requests.jsonl': requests };
  write(recording, { 'recording.json': JSON.stringify(manifest), ...files });
  for (const format of ['pprof', 'speedscope', 'folded', 'cpuprofile']) {
    const out = path.join(home, format);
    const { code, stderr } = await runHere(['export', recording, '--format', format, '--scrub', '-o', out], {
      cwd: root,
    });
    assert.equal(code, 0, stderr);
    const bytes = readFileSync(out);
    const text = (format === 'pprof' ? gunzipSync(bytes) : bytes).toString();
    for (const planted of [secret, root, home, 'plain-argument', 'me:', 'const key'])
      assert.ok(!text.includes(planted), `${format} has ${planted}`);
    assert.match(text, /\.\/src\/a\.js/);
    assert.match(text, /~\/private\/b\.js/);
    assert.match(text, /\/@fs\/…\/src\/f\.js/);
    if (format === 'pprof') assert.match(text, /GET \/\*\/…\/src\/g\.js/);
    assert.match(text, /\.\/src\/a #odd\?\/c\?\.js/);
  }
});

test('a scrubbed path stays whole where the name of its folder comes twice', async () => {
  const profile = profileOf(30, ['a', '/app/src/app/a.js'], ['b', '/data/app/b.js']);
  const manifest = JSON.stringify({ version: 2, command: ['node'], cwd: '/app' });
  const cwd = temporaryProject({ 'recording.json': manifest, '7-0-a.0.cpuprofile': profile });
  const { stdout } = await runHere(['export', '.', '--format', 'folded', '--scrub'], { cwd });
  assert.match(stdout, /^a \.\/src\/app\/a\.js:2 \d+\nb \/data\/app\/b\.js:2 /);
});

test('an export says what is missing in it', async () => {
  const [whole, idle] = [profileOf(300, ['work', 'file:///app/a.js']), profileOf(30, ['(idle)', ''])];
  const cut = { 'cut/1-0-a.0.cpuprofile': whole, 'cut/2-0-b.0.cpuprofile': whole.slice(0, 500) };
  const cwd = temporaryProject({ ...cut, 'idle/a.cpuprofile': idle });
  const said = async (one: string) => (await runHere(['export', one, '--format', 'folded'], { cwd })).stderr;
  assert.match(await said('cut'), /^hotspan: 2-0-b\.0\.cpuprofile is cut off in the middle/);
  assert.equal(await said('idle'), 'hotspan: Nothing ran in this recording: the export is empty.\n');
});
