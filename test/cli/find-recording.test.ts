import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { chosenPath, commandFrom, hasRecordings, runningRecording } from '../../cli/commands/find-recording.ts';
import type { LoadPlan } from '../../recorder/launch/load/record-under-load.ts';
import { nearestRecording } from '../../recordings/newest-of-project.ts';
import { noteOwnCommand } from '../../recorder/launch/run/own-commands.ts';
import { runCli } from '../helpers/run-cli.ts';
import { cacheIn, temporaryProject } from '../helpers/temporary-project.ts';
import { write } from '../helpers/temporary-repository.ts';

describe('what a path to analyze means', () => {
  test('a project is its newest recording, which is said', async () => {
    const cwd = temporaryProject({ 'package.json': '{}', '.hotspan/a/recording.json': '{}' });
    const only = await chosenPath('.', cwd);
    assert.deepEqual(only, {
      path: path.join(cwd, '.hotspan/a'),
      sentence: `The recording here is ${path.join('.hotspan', 'a')}, just now.`,
    });
    const other = temporaryProject({ '.hotspan/a/recording.json': '{}' });
    assert.equal((await chosenPath(other, cwd)).path, path.join(other, '.hotspan/a'));
  });

  test('a folder of a repository without a recording is that of the nearest folder above it that has one', async () => {
    const root = temporaryProject({ '.git/HEAD': '', '.hotspan/a/recording.json': '{}', 'packages/api/index.js': '' });
    const cwd = path.join(root, 'packages/api');
    assert.deepEqual(await chosenPath('.', cwd), {
      path: path.join(root, '.hotspan/a'),
      sentence: `The nearest recording is ${path.join(root, '.hotspan/a')}, just now.`,
    });
    assert.equal(await hasRecordings(cwd), true);
    assert.equal((await chosenPath(cwd, root)).sentence, null, 'a folder that is named is not left');
  });

  test('what lists recordings, or waits for a server, finds those of the folders above, too', async () => {
    const begun = JSON.stringify({ startedAt: '2026-01-01T00:00:00.000Z', command: ['node'] });
    const root = temporaryProject({ '.git/HEAD': '', '.hotspan/a/recording.json': begun, 'packages/api/index.js': '' });
    const cwd = path.join(root, 'packages/api');
    assert.match((await runCli(['recordings'], { cwd })).stdout, /[/\\]\.hotspan[/\\]a /);
    assert.equal(await runningRecording(cwd), path.join(root, '.hotspan/a'));
    const outside = await runCli(['recordings'], { cwd: temporaryProject({ 'package.json': '{}' }) });
    assert.match(outside.stderr, /^hotspan: No recording in .*\. Make one with "hotspan record -- npm test"\.$/m);
  });

  test('of recordings in all places it is the one that was written last', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1e12 });
    const names = ['.hotspan/a', '.hotspan/b', 'out'];
    const cwd = temporaryProject(Object.fromEntries(names.map((name) => [`${name}/recording.json`, '{}'])));
    for (const [folder, hours] of [['.hotspan/a', 4] as const, ['.hotspan/b', 2] as const, ['out', 3] as const])
      utimesSync(path.join(cwd, folder, 'recording.json'), 1e9 - hours * 3600, 1e9 - hours * 3600);
    const { path: chosen, sentence } = await chosenPath('.', cwd);
    assert.equal(chosen, path.join(cwd, '.hotspan/b'));
    assert.match(sentence ?? '', /^The newest of 3 recordings is \.hotspan.b, 2 hours ago\.$/);
  });

  test('a run that recorded nothing, such as one that was stopped at once, does not hide the one before it', async () => {
    const cwd = temporaryProject({
      '.hotspan/good/recording.json': '{}',
      '.hotspan/good/1.0.cpuprofile': '{}',
      '.hotspan/stopped/recording.json': '{}',
      '.hotspan/crashed/recording.json': '{}',
    });
    utimesSync(path.join(cwd, '.hotspan/good/recording.json'), 1e9, 1e9);
    const { path: chosen, sentence } = await chosenPath('.', cwd);
    assert.equal(chosen, path.join(cwd, '.hotspan/good'));
    assert.match(sentence ?? '', /^The newest of 3 .* Left out: 2 newer without a profile\.$/);
  });

  test('a recording, a folder of profiles, a file and what is not there stay as they are', async () => {
    const cwd = temporaryProject({
      ...{ '.git/HEAD': '', 'rec/recording.json': '{}', 'ci/a.cpuprofile': '{}' },
      '.hotspan/x/recording.json': '{}',
    });
    for (const one of ['rec', 'ci', 'ci/a.cpuprofile', 'nowhere'])
      assert.deepEqual(await chosenPath(one, cwd), { path: path.join(cwd, one), sentence: null });
    const ci = path.join(cwd, 'ci');
    assert.deepEqual(await chosenPath('.', ci), { path: ci, sentence: null });
    write(ci, { '.hotspan/x/recording.json': '{}' });
    const { path: chosen, sentence } = await chosenPath('ci', cwd);
    assert.equal(chosen, path.join(ci, '.hotspan/x'), 'other profiles hide no recording of the project');
    assert.match(sentence ?? '', /^The recording here is .*\. The other profiles in \S+ci are not read: name one\.$/);
  });

  test('a folder where nothing was recorded is known as such', async () => {
    assert.equal(await hasRecordings(temporaryProject({ 'package.json': '{}' })), false);
    assert.equal(await hasRecordings(temporaryProject({ 'a.cpuprofile': '{}' })), true);
    assert.equal(await hasRecordings(temporaryProject({ '.hotspan/a/recording.json': '{}' })), true);
  });
});

test('the newest recording is the finished one that began last, also of a baseline, for all commands', async () => {
  const run = (name: string, hour: number, endedAt: string | null): Record<string, string> => ({
    [`.hotspan/${name}/recording.json`]: JSON.stringify({ command: [], startedAt: `2026-01-01T0${hour}:00Z`, endedAt }),
    [`.hotspan/${name}/1.0.cpuprofile`]: '{}',
  });
  const createdAt = '2026-01-01T06:00:00Z';
  const cwd = temporaryProject({
    ...{ ...run('baselines/main/run-1', 6, createdAt), ...run('server', 2, createdAt), ...run('goes-on', 7, null) },
    '.hotspan/baselines/main/baseline.json': JSON.stringify({ createdAt, command: [], recordings: ['run-1'] }),
  });
  const { path: chosen, sentence } = await chosenPath('.', cwd);
  assert.equal(chosen, path.join(cwd, '.hotspan/baselines/main/run-1'));
  assert.equal(await nearestRecording(cwd), chosen);
  assert.match(
    sentence ?? '',
    /^The newest of 3 recordings is .* ago\. Left out: 1 newer \(not ended, without a profile, /,
  );
});

test('where only checks and comparisons ran, what finds no recording names the newest of their runs', async () => {
  const run = (day: number): string =>
    JSON.stringify({
      command: ['node'],
      startedAt: `2026-01-0${day}T00:00:00.000Z`,
      endedAt: '2026-01-09T00:00:00.000Z',
    });
  const cwd = temporaryProject({
    'main.js': '',
    '.hotspan/2026-01-01T00-00-00-000-1-compare/run-1/recording.json': run(1),
    '.hotspan/2026-01-02T00-00-00-000-1-compare/run-1/recording.json': run(2),
    '.hotspan/2026-01-02T00-00-00-000-1-compare/run-2/recording.json': JSON.stringify({ command: ['node'] }),
  });
  const env = { ...process.env, ...cacheIn(temporaryProject({})) };
  const newest = path.join(cwd, '.hotspan', '2026-01-02T00-00-00-000-1-compare', 'run-1');
  const said = async (args: readonly string[]): Promise<string> => (await runCli(args, { cwd, env })).stderr;
  const only = (place: string): string =>
    `hotspan: Only checks and comparisons were recorded ${place} (the newest run is ${newest}): `;
  const record = 'record with "hotspan record -- npm test".\n';
  assert.equal(
    await said(['analyze']),
    `${only(`in ${cwd}`)}type "hotspan record -- npm test", or say what to analyze.\n`,
  );
  assert.equal(await said(['analyze', '.']), `${only(`in ${cwd}`)}give that path, or ${record}`);
  assert.equal(await said(['export']), `${only(`in ${cwd}`)}give that path, or ${record}`);
  const folder = path.join(cwd, '.hotspan');
  assert.equal(await said(['analyze', folder]), `${only(`in ${folder}`)}give that path, or ${record}`);
  assert.equal(await said(['baseline']), `${only('here')}say what to run, "hotspan baseline -- npm test".\n`);
  assert.equal(await said(['make-sure']), `${only('here')}record the tests first (hotspan record -- npm test).\n`);
  assert.match(await said(['recheck', 'f', '--recording', 'no']), /no is not there: give the path of a recording\.\n$/);
});

test('a server that was stopped is run again under a load that is given', async () => {
  const cwd = temporaryProject({});
  const command = ['node', 'server.js'];
  const recording = temporaryProject({
    'recording.json': JSON.stringify({ command, cwd }),
    'events.jsonl': [
      { type: 'listens', isolate: 'a', at: 1, server: 1, protocol: 'http', host: '', port: 3000, path: '' },
      { type: 'signal', isolate: 'a', at: 1, signal: 'SIGINT' },
    ]
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
  });
  const env = { XDG_CACHE_HOME: temporaryProject({}) };
  const around = { cwd, env, recorderFile: '', version: '' };
  await noteOwnCommand({ command, cwd, env }, command);
  const load: LoadPlan = {
    ...{ ready: new URL('http://localhost'), source: { type: 'words', words: '/' }, patience: 1, say: () => {} },
    load: { requests: [], connections: 1, rate: null, amount: 1, durationS: null, warmUpS: 0 },
    send: async () => assert.fail('nothing is sent'),
  };
  const known = await commandFrom([], recording, around, '', load);
  assert.deepEqual(known, { type: 'known', command, load });
  assert.equal((await commandFrom([], recording, around, '')).type, 'failed');
});
