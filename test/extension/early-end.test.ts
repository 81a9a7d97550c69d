import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

fakeVscode();
const { earlyEnd } = await import('../../extension/run/ended-run.ts');

/** A process that writes this as its `recording.json`, if anything, and ends. */
async function ended(manifest: object | null): Promise<number | null> {
  const recording = temporaryProject({});
  const file = path.join(recording, 'recording.json');
  const program = `setTimeout(() => require('fs').writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(JSON.stringify(manifest))}), 300)`;
  const child = spawn(process.execPath, ['-e', manifest === null ? '' : program]);
  return earlyEnd(child.pid ?? 0, recording, new AbortController().signal);
}

const endedAt = '2026-01-01T00:00:00.000Z';

test('when the process has ended, the recording says with which exit code its command did', async () => {
  assert.deepEqual([await ended({ endedAt, exitCode: 0 }), await ended({ endedAt, exitCode: 3 })], [0, 3]);
});

test('VS Code has to say how it ended where the recording does not', async () => {
  const killed = { endedAt: null, exitCode: null, signal: null };
  const interrupted = { endedAt, exitCode: null, signal: 'SIGINT' };
  assert.deepEqual([await ended(killed), await ended(interrupted), await ended(null)], [null, null, null]);
});

test('a recording that had its end before is of another run', async () => {
  const recording = temporaryProject({ 'recording.json': JSON.stringify({ endedAt, exitCode: 0 }) });
  assert.equal(await earlyEnd(process.pid, recording, new AbortController().signal), null);
});

test('the waiting ends with the run, though the process goes on', async () => {
  const over = new AbortController();
  const waiting = earlyEnd(process.pid, os.tmpdir(), over.signal);
  over.abort();
  assert.equal(await waiting, null);
});
