import assert from 'node:assert/strict';
import { appendFile, chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

fakeVscode();
const { isTarget } = await import('../../extension/run/runs.ts');
const { findExecutable } = await import('../../extension/run/can-run.ts');
const { worstTurnSoFar } = await import('../../extension/run/show-running.ts');

test('the longest turn so far is that of all processes, a half written line is left for later', async () => {
  const folder = temporaryProject({});
  const worst = worstTurnSoFar(folder);
  assert.equal(await worst(), null);
  await writeFile(
    path.join(folder, '1-0-a.turns.jsonl'),
    '["turn",1000,9000,-1]\n["own",0,90000]\n["mark",9]\n["turn",0,5',
  );
  assert.equal(await worst(), 8000);
  await appendFile(path.join(folder, '1-0-a.turns.jsonl'), '0000,-1]\n');
  assert.equal(await worst(), 50_000);
  await writeFile(path.join(folder, '2-0-b.turns.jsonl'), '["turn",0,312000,-1]\n');
  assert.equal(await worst(), 312_000);
  assert.equal(await worst(), 312_000);
  assert.equal(await worstTurnSoFar(path.join(folder, 'none'))(), null);
});

const isWindows = process.platform === 'win32';

test('a program is found on the PATH if it can be run', async () => {
  const folder = temporaryProject({});
  const PATH = ['/nowhere', folder].join(path.delimiter);
  const file = path.join(folder, isWindows ? 'node.EXE' : 'node');
  await writeFile(file, '');
  await chmod(file, 0o644);
  if (!isWindows) assert.equal(await findExecutable('node', { PATH }), null);
  await chmod(file, 0o755);
  assert.equal(await findExecutable('node', { PATH }), file);
  assert.equal(await findExecutable('node', {}), null);
});

test('what was kept by another version is not a target', () => {
  const target = {
    ...{ id: '.#t', kind: 'tests', runner: null, label: 'npm test', description: '', folder: '/a' },
    ...{ command: ['npm'], env: {}, notes: [], isOrchestrator: false },
  };
  assert.equal(isTarget(target), true);
  for (const other of [{ command: 'npm test' }, { env: { A: 1 } }, { env: ['A'] }, { kind: 'deno' }])
    assert.equal(isTarget({ ...target, ...other }), false);
  assert.equal(isTarget(undefined), false);
});
