import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { fake } from '../helpers/fake-vscode-module.ts';

fakeVscode();
const { EditorColumns, columnsOf } = await import('../../extension/results/editor-columns.ts');

const font = { fontSize: 14, hasMinimap: false };
const told: (number | null)[] = [];
beforeEach(() => told.splice(0));

test('so many characters are in sight as the narrowest group of editors has room for, beside numbers and minimap', () => {
  assert.equal(columnsOf({ orientation: 0, groups: [{ size: 1042 }] }, font), 109);
  assert.equal(columnsOf({ orientation: 0, groups: [{ size: 443 }] }, font), 39);
  assert.equal(columnsOf({ orientation: 0, groups: [{ size: 1042 }, { size: 443 }] }, font), 39);
  assert.equal(columnsOf({ orientation: 0, groups: [{ size: 1042 }] }, { fontSize: 21, hasMinimap: false }), 69);
  assert.equal(columnsOf({ orientation: 0, groups: [{ size: 1042 }] }, { fontSize: 14, hasMinimap: true }), 97);
  assert.equal(columnsOf({ orientation: 0, groups: [{ size: 60 }] }, font), 0);
});

test('heights of groups, of which VS Code tells no more where there is one, are not widths', () => {
  assert.equal(columnsOf({ orientation: 1, groups: [{ size: 443 }] }, font), 100);
  const stacked = { size: 1042, groups: [{ size: 300 }, { size: 300 }] };
  assert.equal(columnsOf({ orientation: 0, groups: [stacked] }, font), 109);
  assert.equal(columnsOf({ orientation: 1, groups: [{ size: 300 }, { size: 300 }] }, font), 100);
  const below = { size: 300, groups: [{ size: 443 }, { size: 1042 }] };
  assert.equal(columnsOf({ orientation: 1, groups: [{ size: 300 }, below] }, font), 39);
});

test('where the layout is not known, or of another form, 100 characters are in sight', () => {
  for (const layout of [undefined, null, {}, { groups: 7 }, { groups: [{ size: 'wide' }] }, { groups: [] }])
    assert.equal(columnsOf(layout, font), 100);
});

test('the server is told a width once, and the caller where there are other groups', async () => {
  const layout = { orientation: 0, groups: [{ size: 900 }] };
  fake.execute = async (command) => (command === 'vscode.getEditorLayout' ? layout : undefined);
  const changes: string[] = [];
  const columns = new EditorColumns(
    async (now) => told.push(now),
    () => changes.push('changed'),
  );
  await columns.update();
  await columns.update();
  assert.deepEqual(told, [82]);
  fake.changedGroups.fire({ opened: [{}], closed: [], changed: [] });
  assert.deepEqual(changes, ['changed']);
  columns.dispose();
  fake.changedGroups.fire({ opened: [{}], closed: [], changed: [] });
  assert.deepEqual(changes, ['changed']);
});
