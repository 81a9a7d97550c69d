import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Analysis } from '../../../../engine/analysis.ts';
import { reportOf } from '../../../../show/report/report.ts';
import { changedFilesText, noTiersText, secondRunText } from '../../../../words/tier-words.ts';
import { ago } from '../../../../words/formats/figures.ts';
import type { Report } from '../../../../protocol/report.ts';
import { milliseconds } from '../../../../protocol/units.ts';
import { drawLog } from '../../../helpers/drawn-log.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';
import { analyzedIn } from '../../../helpers/analyzed.ts';
import { placedProfile } from '../../../helpers/placed-profile.ts';

const hour = (number: number): string => `2026-01-31T${String(number).padStart(2, '0')}:00:00.000Z`;

function manifest(startedAt: string, more: object): string {
  const ran = { command: ['node', 'a.js'], cwd: '/app', startedAt, endedAt: startedAt, intervalUs: 1000 };
  return JSON.stringify({ version: 2, ...ran, ...more });
}

/** `add` and `lonely` for 10 ms each, by V8's profiler, which gives `add` no name. */
const at = { url: 'file:///app/a.js', column: 7 };
const profile = placedProfile('add lonely', {
  functions: { add: { ...at, name: '', line: 2 }, lonely: { ...at, line: 8 } },
});

const add: Record<string, readonly [number, number, number]> = { 'exports.add': [30, 3, 8] };
/** As the recorder marks logs of the program. */
const clock = 'code-creation,Script,9,110,0x9000,9, hotspan-clock:7:0:5000000:1:1,0xabc,~';
const log = (marker: string): string =>
  drawLog(`${clock}\n${marker} exports.add 1000 100\ntick 1010\ntick 1010\ntick:idle 9999`, add);

async function analysisBeside(
  files: Readonly<Record<string, string>>,
  path = '/recs/now',
  changes: Readonly<Record<string, number>> = {},
): Promise<Analysis> {
  const own = { '/recs/now/recording.json': manifest(hour(10), {}), '/recs/now/7-0-x.0.cpuprofile': profile };
  const world = memoryWorld({ ...own, ...files }, changes);
  return (await analyzedIn(world, { thresholdUs: milliseconds(2) }, [path])).analysis;
}

async function reportBeside(...args: Parameters<typeof analysisBeside>): Promise<Report> {
  return reportOf(await analysisBeside(...args));
}

test('the functions of a profile have the tiers of the newest recording of tiers of the same command', async () => {
  const { recording, functions } = await reportBeside({
    '/recs/old/recording.json': manifest(hour(8), { kind: 'tiers' }),
    '/recs/old/isolate-0x1-7-7-1.v8.log': log('~'),
    '/recs/new/recording.json': manifest(hour(9), { kind: 'tiers' }),
    '/recs/new/isolate-0x1-7-7-1.v8.log': log('*'),
    '/recs/other/recording.json': manifest(hour(11), { kind: 'tiers', command: ['node', 'b.js'] }),
    '/recs/other/isolate-0x1-7-7-1.v8.log': log('+'),
    '/recs/elsewhere/recording.json': manifest(hour(11), { kind: 'tiers', cwd: '/other' }),
    '/recs/elsewhere/isolate-0x1-7-7-1.v8.log': log('+'),
    '/recs/going/recording.json': manifest(hour(12), { kind: 'tiers', endedAt: null }),
    '/recs/going/isolate-0x1-7-7-1.v8.log': log('+'),
  });
  assert.deepEqual(recording.tiersFrom, {
    path: '/recs/new',
    startedAt: hour(9),
    otherNode: null,
    changedFiles: [],
  });
  const tiers = new Map(functions.map(({ line, tiers: found }) => [Number(line), found]));
  assert.equal(tiers.get(3)?.turbofanUs, 2000, 'they meet by their place, whatever they are called');
  assert.equal(tiers.get(9)?.unknownUs, 10_000, 'never seen there is unknown');
  assert.equal(tiers.get(9)?.turbofanUs, 0);
});

test('the editor keeps recordings of tiers in the folder of another target', async () => {
  const [target, tiers] = ['/recs/0123456789abcdef', '/recs/fedcba9876543210'];
  const { recording } = await reportBeside(
    {
      [`${target}/now/recording.json`]: manifest(hour(10), {}),
      [`${target}/now/7-0-x.0.cpuprofile`]: profile,
      [`${tiers}/then/recording.json`]: manifest(hour(11), { kind: 'tiers' }),
      [`${tiers}/then/isolate-0x1-7-7-1.v8.log`]: log('*'),
    },
    `${target}/now`,
  );
  assert.equal(recording.tiersFrom?.path, `${tiers}/then`);
});

const tiersAt = (time: string): Readonly<Record<string, string>> => ({
  '/recs/new/recording.json': manifest(time, { kind: 'tiers' }),
  '/recs/new/isolate-0x1-7-7-1.v8.log': log('*'),
});

test('nothing is taken over of a file that has changed since the first of the two runs, and that is said', async () => {
  const changes = { '/app/a.js': Date.parse(hour(9)) + 1 };
  for (const [second, changed] of [
    [hour(8), true],
    [hour(9), true],
    [hour(10), false],
    [hour(11), false],
  ] as const) {
    // The profile is of ten o'clock, and the file of nine.
    const analysis = await analysisBeside(tiersAt(second), '/recs/now', changes);
    const { recording, functions } = reportOf(analysis, 'all');
    assert.deepEqual(recording.tiersFrom?.changedFiles, changed ? ['/app/a.js'] : [], second);
    assert.equal(functions.find(({ line }) => line === 3)?.tiers?.turbofanUs, changed ? 0 : 2000);
    assert.match(textOfLonely(analysis), changed ? /its file has changed/ : /never saw it/);
    assert.equal(changedFilesText(analysis)?.startsWith('No tiers of a.js: changed') ?? false, changed);
  }
});

function textOfLonely(analysis: Analysis): string {
  return noTiersText(analysis.functions.functions.find(({ name }) => name === 'lonely')?.id ?? -1, analysis);
}

test('a function of which only inlined code ran there was seen', async () => {
  const rows = `${clock}\n~ exports.add 1000 100\n* lonely 2000 100 C0O20C10O5I0 F0O25 exports.add\ntick 2012\ntick 2012`;
  const inlined = drawLog(rows, { ...add, lonely: [80, 9, 8] });
  const analysis = await analysisBeside({ ...tiersAt(hour(9)), '/recs/new/isolate-0x1-7-7-1.v8.log': inlined });
  assert.match(textOfLonely(analysis), /at the top of no tick in JavaScript; V8 had inlined .+ into it$/);
});

test('another version of Node.js is named', async () => {
  const start = (pid: number, nodeVersion: string): string => {
    const isolate = { isolate: `${pid}-0-x`, pid, threadId: 0, parent: null, kind: 'main', argv: [], cwd: '/app' };
    return `${JSON.stringify({ type: 'start', ...isolate, nodeVersion, at: 4_999_000, wallClock: 0 })}\n`;
  };
  const beside = async (ours: string, theirs: string): Promise<Analysis> =>
    analysisBeside({
      ...tiersAt(hour(9)),
      '/recs/now/events.jsonl': start(7, ours),
      '/recs/new/events.jsonl': start(7, theirs),
    });
  const now = Date.parse(hour(10));
  assert.equal(
    secondRunText(await beside('v24.1.0', 'v20.2.0'), now),
    'Tiers are from a second run, 1 hour ago, on Node.js v20.2.0.',
  );
  assert.equal(secondRunText(await beside('v24.1.0', 'v24.1.0'), now), 'Tiers are from a second run, 1 hour ago.');
});

test('a recording of tiers has its own', async () => {
  const files = {
    '/recs/own/recording.json': manifest(hour(8), { kind: 'tiers' }),
    '/recs/own/isolate-0x1-7-7-1.v8.log': log('~'),
    '/recs/new/recording.json': manifest(hour(9), { kind: 'tiers' }),
    '/recs/new/isolate-0x1-7-7-1.v8.log': log('*'),
  };
  const { recording, functions } = await reportBeside(files, '/recs/own');
  assert.equal(recording.tiersFrom, undefined);
  assert.equal(functions[0]?.tiers?.ignitionUs, 2000);
});

test('how long ago it was', () => {
  const then = Date.parse(hour(10));
  const later = (minutes: number): string => ago(then, then + minutes * 60_000);
  assert.deepEqual([0.9, 1, 2.5, 60, 60 * 23, 60 * 48].map(later), [
    'just now',
    '1 minute ago',
    '2 minutes ago',
    '1 hour ago',
    '23 hours ago',
    '2 days ago',
  ]);
});
