import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordingVersion } from '../../../protocol/recording.ts';
import { microseconds } from '../../../protocol/units.ts';
import { type Manifest, parseManifest } from '../../../protocol/formats/parse-manifest.ts';
import { assertNone } from '../../helpers/assert-each.ts';

/** What is read from `{}`. */
const nothing: Manifest = {
  version: recordingVersion,
  isOfTiers: false,
  ...{ command: null, cwd: null, startedAt: null, endedAt: null },
  isOpen: false,
  ...{ exitCode: null, signal: null, interval: null },
  evaluated: false,
  isAttached: false,
  notes: [],
  load: null,
};

const told = {
  version: recordingVersion,
  hotspanVersion: '1.0.0',
  command: ['npm', 'test'],
  cwd: '/app',
  startedAt: '2026-01-31T12:00:00.000Z',
  endedAt: null,
  ...{ exitCode: null, signal: null },
  intervalUs: 1000,
  mostBytes: null,
  evaluated: true,
  notes: ['Coverage was on.'],
  environment: { NODE_ENV: null, coverage: true },
};

const read = {
  ...nothing,
  command: told.command,
  cwd: told.cwd,
  startedAt: told.startedAt,
  isOpen: true,
  interval: microseconds(1000),
  evaluated: true,
  notes: told.notes,
};

const ended = { ...told, kind: 'tiers', endedAt: '2026-01-31T12:00:01.000Z', exitCode: 1 };

const manifests: Readonly<Record<string, readonly [json: unknown, manifest: Manifest]>> = {
  'a run that goes on': [told, read],
  'one of tiers that has ended': [
    ended,
    { ...read, isOfTiers: true, endedAt: ended.endedAt, isOpen: false, exitCode: 1 },
  ],
  'an older version': [
    { ...told, version: 1 },
    { ...read, version: 1 },
  ],
  'a newer version, with what this one does not know': [
    { ...told, version: 9, kind: 'heap', color: 'red' },
    { ...read, version: 9 },
  ],
  'somebody else’s': [{ name: 'x', scripts: { test: 'jest' } }, nothing],
  'wrong types': [
    {
      ...{ version: '2', kind: ['tiers'], command: 'npm test', cwd: 7, startedAt: {}, endedAt: 0, exitCode: '1' },
      ...{ intervalUs: -5, evaluated: 'yes', notes: 'none', load: 'much' },
    },
    nothing,
  ],
  'wrong types inside lists': [
    { command: ['npm', 7, null, ['x']], notes: [{}, 'a', 3] },
    { ...nothing, command: ['npm', '', '', ''], notes: ['a'] },
  ],
};

for (const [name, [json, manifest]] of Object.entries(manifests))
  test(`recording.json: ${name}`, () => assert.deepEqual(parseManifest(JSON.stringify(json)), manifest));

test('what is not an object of JSON is not a manifest', () => {
  const texts = ['', '{', '{"version":2,', 'null', '[]', '[{"version":2}]', '"text"', '7', '\u0000\u0001'];
  assertNone(texts, (text) => parseManifest(text) !== null);
});

test('nesting, a huge text and names of an object’s own parts are no harm', () => {
  const deep = `{"command":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  assert.deepEqual(parseManifest(deep)?.command ?? [''], ['']);
  assert.equal(parseManifest(JSON.stringify({ cwd: 'x'.repeat(1e6) }))?.cwd?.length, 1e6);
  assert.deepEqual(parseManifest('{"__proto__":{"evaluated":true,"command":["x"]}}'), nothing);
});

const figures = {
  ...{ requests: 10, errors: 0, timeouts: 0, refused: 1, durationUs: 1e6, requestsPerSecond: 10.5, bytesPerSecond: 99 },
  ...{ latencyUs: { mean: 1, p50: 2, p90: 3, p99: 4, max: 5 }, cpuShare: 0.5 },
  byRequest: [{ requests: 10, errors: 0, refused: 1, latencyUs: { p50: 2, p99: 4 } }],
};
const request = { title: 'home', method: 'GET', url: 'http://localhost/', headers: ['accept'], bodyBytes: 0 };
const sent = {
  ...{ source: { type: 'file', file: '/app/a.http', environment: 'dev' }, requests: [request] },
  ...{ connections: 2, rate: null, amount: null, durationS: 10, warmUpS: 2 },
};

test('the load is read with what came of it, or not at all', () => {
  const loadOf = (load: unknown): unknown => parseManifest(JSON.stringify({ load }))?.load;
  const whole = { ...sent, baseline: figures, recorded: figures };
  assert.deepEqual(loadOf(whole), whole);
  assert.deepEqual(loadOf({ ...whole, baseline: null }), { ...whole, baseline: null });
  assert.equal(loadOf({ ...sent, baseline: figures }), null);
  assert.equal(loadOf({ ...whole, requests: 1 }), null);
  assert.equal(loadOf({ ...whole, recorded: [] }), null);
});

test('figures of a load that cannot be are zero', () => {
  const damaged = { requests: -1, errors: '2', durationUs: null, requestsPerSecond: -3, latencyUs: 4 };
  const written = { baseline: damaged, recorded: figures, connections: 1.6, rate: -1, requests: [{ headers: 1 }] };
  const text = JSON.stringify({ load: written });
  const { load } = parseManifest(text) ?? {};
  assert.deepEqual(load?.baseline, {
    ...{ requests: 0, errors: 0, timeouts: 0, refused: 0, durationUs: 0, requestsPerSecond: 0, bytesPerSecond: 0 },
    latencyUs: { mean: 0, p50: 0, p90: 0, p99: 0, max: 0 },
    byRequest: [],
  });
  assert.deepEqual([load?.connections, load?.rate, load?.source], [2, null, { type: 'words', words: null }]);
  assert.deepEqual(load?.requests, [{ title: '', method: '', url: '', headers: [], bodyBytes: 0 }]);
});
