import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsIn } from '../../../helpers/drawn-hotspots.ts';
import { profileOf } from '../../../helpers/drawn-profile.ts';

/** What is said of a recording of `command`, in which `script` ran, and one function of `file`. */
async function said(
  command: readonly string[],
  script: string,
  file: string,
  exitCode: number | null = 0,
  ended: object = {},
): Promise<readonly string[]> {
  const profile = JSON.stringify(profileOf([['work']], [5])).replaceAll(/"url":"[^"]+"/g, `"url":"file://${file}"`);
  const start = { type: 'start', isolate: '7-0-x', pid: 7, threadId: 0, argv: ['node', script], execArgv: [] };
  const end = { type: 'end', isolate: '7-0-x', reason: 'exit' };
  const { report } = await hotspotsIn({
    '/rec/recording.json': JSON.stringify({ cwd: '/app', command, exitCode, ...ended }),
    '/rec/events.jsonl': `${JSON.stringify(start)}\n${JSON.stringify(end)}\n`,
    '/rec/7-0-x.0.cpuprofile': profile,
  });
  return report.warnings;
}

test('a test that the command names and nobody saw is said; one whose compiled file was seen is there', async () => {
  const command = ['node', '--test', 'test/a.test.ts'];
  assert.match(
    (await said(command, '/app/x.js', '/app/src/b.ts')).join(' '),
    /^Nothing of test\/a\.test\.ts was seen: /,
  );
  assert.deepEqual(await said(command, '/app/x.js', '/app/dist/test/a.test.js'), []);
});

test('a program of which nothing was seen is said, and why where a tool may have replayed its cache', async () => {
  const tool = '/app/node_modules/turbo/bin/turbo';
  assert.match(
    (await said(['npm', 'test'], tool, tool)).join(' '),
    /^turbo ran, .*may have.* Record again with --force,/,
  );
  const nx = '/app/node_modules/.bin/nx';
  assert.match((await said(['nx', 'test'], nx, `${tool}.js`)).join(' '), /^nx ran, .* with --skip-nx-cache\.$/);
  const other = '/app/node_modules/other/bin.js';
  assert.match((await said(['npm', 'test'], other, other)).join(' '), /^Nothing of your own code was seen: /);
  assert.deepEqual(await said(['npm', 'test'], other, '/app/src/b.ts'), []);
  const elsewhere = '/elsewhere/server.js';
  assert.deepEqual(await said(['node', elsewhere], elsewhere, elsewhere), []);
});

test('a command that failed before any own code ran is said to have failed', async () => {
  const runner = '/app/node_modules/vitest/vitest.mjs';
  assert.deepEqual(await said(['npm', 'test'], runner, runner, 1), [
    'Nothing of your own code was seen, and the command failed (exit code 1): what it printed says why.',
  ]);
});

test('a failure of a tool with a cache is not a replayed one, and a command that was stopped has not failed', async () => {
  const tool = '/app/node_modules/turbo/bin/turbo';
  assert.match((await said(['npm', 'test'], tool, tool, 1)).join(' '), /the command failed \(exit code 1\)/);
  assert.match((await said(['npm', 'test'], tool, tool, null)).join(' '), /^Nothing of your own code was seen before/);
});

test('of a command that a signal ended it is said whether it was stopped or crashed; one under load needs other requests', async () => {
  const words = ['/app/node_modules/other/bin.js', '/app/node_modules/other/bin.js'] as const;
  const ended = async (facts: object): Promise<string> =>
    (await said(['npm', 'start'], ...words, null, facts)).join(' ');
  assert.match(await ended({ signal: 'SIGTERM' }), /^Nothing .* was stopped: let it run longer\.$/);
  assert.match(
    await ended({ signal: 'SIGSEGV' }),
    /the command was killed or crashed \(SIGSEGV\): its output may say why/,
  );
  const load = { requests: [], recorded: {} };
  assert.match(await ended({ signal: 'SIGTERM', load }), /under the load: send requests that reach your code\.$/);
});
