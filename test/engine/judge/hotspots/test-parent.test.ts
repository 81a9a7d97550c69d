import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsIn, startLine } from '../../../helpers/drawn-hotspots.ts';
import { drawProfile, drawnStart } from '../../../helpers/drawn-profile.ts';

async function blameIn(argv: readonly string[]): Promise<string | undefined> {
  const start = startLine('7-0-x', argv, { nodeVersion: 'v20.0.0', at: 0 });
  const { operations } = await hotspotsIn({
    '/rec/recording.json': JSON.stringify({ version: 2, command: argv, cwd: '/app', intervalUs: 1000, notes: [] }),
    '/rec/events.jsonl': `${start}\n${JSON.stringify({ type: 'end', isolate: '7-0-x', at: 9, reason: 'exit' })}\n`,
    '/rec/7-0-x.0.cpuprofile': JSON.stringify(drawProfile('vite#transform vite#transform vite#transform')),
    '/rec/7-0-x.turns.jsonl': `${JSON.stringify(['turn', drawnStart, drawnStart + 3000, -1])}\n`,
  });
  return operations[0]?.blame?.name;
}

test("what the first process of vitest does is the runner's: no test runs there", async () => {
  assert.equal(await blameIn(['node', '/app/node_modules/.bin/vitest', 'run']), 'runner');
  assert.equal(await blameIn(['node', '/app/node_modules/vitest/vitest.mjs', 'run']), 'runner');
});

test('the same package in the program is blamed', async () => {
  assert.equal(await blameIn(['node', '/app/server.js']), 'vite');
});
