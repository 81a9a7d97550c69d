import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ExtensionContext } from 'vscode';
import { assertEach } from '../helpers/assert-each.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { workspace } from '../helpers/fake-vscode-module.ts';
import { is, until } from '../helpers/late-services.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

fakeVscode();
const { KeptResults, recordingsRoot } = await import('../../extension/results/kept-results.ts');

/** Two windows on one workspace, each with a storage of its own and one together; the second has one more folder. */
function twoWindows(t: TestContext) {
  const root = temporaryProject({});
  const logged: string[] = [];
  const windows = ['1b2c', '1b2c-1'].map((name) => {
    workspace.workspaceFolders.push({ uri: `file:///${name}` });
    const context = {
      storageUri: { fsPath: path.join(root, name, 'hotspan') },
      globalStorageUri: { fsPath: path.join(root, 'all') },
    };
    assert.ok(is<ExtensionContext>(context));
    return new KeptResults(context, { warn: (text: unknown) => void logged.push(String(text)) });
  });
  t.after(() => {
    for (const window of windows) window.dispose();
  });
  const [one, two] = windows;
  assert.ok(one !== undefined && two !== undefined);
  const recording = (name: string): string => {
    const folder = path.join(root, '1b2c/hotspan', name);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  return { one, two, recording, logged, shared: path.join(root, 'all/shown') };
}

test('what one window shows the other finds, and is told of it once', async (t) => {
  const { one, two, recording } = twoWindows(t);
  const told: true[] = [];
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const changes = t.mock.method(globalThis, 'setTimeout');
  two.onDidChange(() => told.push(true));
  await two.watch();
  const first = one.resultOf([recording('0123456789abcdef/1')], 1);
  const second = one.resultOf([recording('x.cpuprofile')], 2);
  for (const result of [first, second]) assert.equal(await one.keep(result), true);
  assert.deepEqual(await two.read(), [second, first]);
  await until(() => changes.mock.callCount() >= 2);
  t.mock.timers.tick(100);
  assert.equal(told.length, 1);

  await one.forget(first.target);
  assert.deepEqual(await two.read(), [second]);
});

test('all runs of a target are one result, alone or together; what is not a run of ours goes by its path', (t) => {
  const { one, recording } = twoWindows(t);
  const [first, second, other] = ['0123456789abcdef/1', '0123456789abcdef/2', 'x.cpuprofile'].map(recording);
  assert.ok(first !== undefined && second !== undefined && other !== undefined);
  assert.equal(one.resultOf([first], 1).target, '0123456789abcdef');
  assert.deepEqual([one.resultOf([first], 1).isOurs, one.resultOf([first, second], 1).isOurs], [true, false]);
  assert.equal(one.resultOf([second, first], 1).target, '0123456789abcdef');
  assert.equal(one.resultOf([other], 1).target, other);
  assert.equal(one.resultOf([first, other], 1).target, `${first}\n${other}`);
});

test('a deleted recording and a broken file are left out with a line in the log, and the others return', async (t) => {
  const { one, recording, logged, shared } = twoWindows(t);
  const [kept, deleted] = [recording('a/1'), recording('b/1')];
  for (const name of [kept, deleted]) await one.keep(one.resultOf([name], 1));
  const [name = ''] = readdirSync(shared);
  writeFileSync(path.join(shared, name.replace(/\w{16}\.json$/, '0000000000000000.json')), '{ "target": 7 }');
  rmSync(deleted, { recursive: true });
  assertEach(await one.read(), ({ recordings }) => recordings, [[kept]]);
  assert.equal(logged.length, 2);
  assert.match(logged.join('\n'), /b[/\\]1 is no longer shown: it has been deleted/);
  assert.equal(readdirSync(shared).length, 2);
});

test('all windows of a workspace keep their recordings in one folder, also one that is reloaded on a busy machine', () => {
  const rootOf = (...names: readonly string[]): string => {
    const context = {
      storageUri: { fsPath: path.join('/data', ...names, 'hotspan.hotspan') },
      globalStorageUri: { fsPath: '/data/all' },
    };
    assert.ok(is<ExtensionContext>(context));
    return recordingsRoot(context);
  };
  for (const id of ['0f1c2d3e4b5a69788796a5b4c3d2e1f0', '-4f3a1b', '-1', '1764345600000'])
    for (const storage of [id, `${id}-1`, `${id}-9`])
      assert.equal(rootOf(storage), path.join('/data', id, 'hotspan.hotspan'), storage);
});
