import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { startAnalysis } from '../../language-server/recordings/analysis-process.ts';
import { milliseconds } from '../../protocol/units.ts';
import { assertNone } from '../helpers/assert-each.ts';
import { profileOf } from '../helpers/drawn-profile.ts';
import { projectFile } from '../helpers/project.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

test('of questions that were asked in a row, those that nobody waits for any more are left out', async (t) => {
  const folder = temporaryProject({
    'one.cpuprofile': JSON.stringify(profileOf([['main', 'parse'], ['main']], [1, 1])),
  });
  const analysis = startAnalysis(projectFile('language-server/recordings/worker.ts'));
  t.after(() => analysis.dispose());
  const recording = path.join(folder, 'one.cpuprofile');
  const asked = { more: [], isOurs: false, isShown: false, marked: [], roots: [folder] };
  const options = { thresholdUs: milliseconds(10), testPatterns: [] };
  await analysis.open({ recording, ...asked, options }, () => undefined);
  const early = Array.from({ length: 50 }, (_, number) => {
    const source = new CancellationTokenSource();
    const answer = analysis.ask('flame', { leastShare: number / 100 }, source.token);
    source.cancel();
    return answer;
  });
  const last = analysis.ask('flame', { leastShare: 0 });
  const results = await Promise.allSettled(early);
  // One that the thread has come to before its end was told is answered.
  const ends = results.map((result) => (result.status === 'rejected' ? String(result.reason) : result.status));
  assertNone(ends, (end) => end !== 'Error: cancelled' && end !== 'fulfilled');
  assert.ok(ends.includes('Error: cancelled'));
  assert.equal((await last).totalUs, milliseconds(2));
  rmSync(recording); // What was read stays as it was: the page goes on.
  assert.equal((await analysis.ask('flame', { leastShare: 0.5 })).totalUs, milliseconds(2));
});
