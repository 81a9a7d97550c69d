import assert from 'node:assert/strict';
import { access, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { hasRecording, recordingPath, requestStop, newRecordingFolder } from '../../recordings/recording-folders.ts';
import { asDrawn } from '../helpers/drawn-root.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';

fakeVscode();
const { commandOf, isOfTiers, recordArguments, recordingOf } = await import('../../extension/run/task.ts');

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

const usualRun = { cli: '/cli.cjs', recording: '/rec', intervalUs: 500, maxSize: 100 };

test('targets do not share a folder, whatever is in their names', () => {
  const [a, b] = [newRecordingFolder('/root', 'a/../..', at(0)), newRecordingFolder('/root', 'b', at(0))];
  assert.notEqual(path.dirname(a), path.dirname(b));
  assert.equal(asDrawn(path.dirname(path.dirname(a))), '/root');
});

test('stopping leaves the file that the recorder looks for', async () => {
  const root = temporaryProject({});
  await requestStop(path.join(root, 'run'));
  await access(path.join(root, 'run/stop'));
});

test('a run that never began has nothing to show', async () => {
  const root = temporaryProject({});
  assert.equal(await hasRecording(path.join(root, 'none')), false);
  await writeFile(path.join(root, 'recording.json'), '{}');
  assert.equal(await hasRecording(root), true);
});

test('the manifest of a recording stands for all of it', () => {
  assert.equal(recordingPath('/r/recording.json'), '/r');
  assert.equal(recordingPath('/r/x.cpuprofile'), '/r/x.cpuprofile');
});

test('a task of ours is known by its arguments, whatever the command has among its own', () => {
  const notes = ['Vitest watches by default: it runs once.'];
  const run = { ...usualRun, kind: 'profile' as const, command: ['npm', 'test', '--', '--out', 'x'], notes };
  assert.equal(recordingOf(recordArguments(run)), '/rec');
  assert.ok(recordArguments(run).includes('--note=Vitest watches by default: it runs once.'));
  assert.equal(recordingOf(['record', '--', 'build', '--out', 'x']), null);
  assert.deepEqual(commandOf(recordArguments(run)), run.command);
});

test('a task for V8 tiers is told from one whose command has the same word', () => {
  const run = { ...usualRun, command: ['x', '--tiers'], notes: [] };
  assert.equal(isOfTiers(recordArguments({ ...run, kind: 'tiers' })), true);
  assert.equal(isOfTiers(recordArguments({ ...run, kind: 'profile' })), false);
  assert.equal(isOfTiers(recordArguments({ ...run, kind: 'tiers', command: null, address: '9229' })), false);
});
