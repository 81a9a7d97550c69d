import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandHost } from '../../extension/commands/command-arguments.ts';
import type { RunningTask } from '../../extension/run/task.ts';
import { commands, internalCommands, settings } from '../../protocol/ids.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { fake, window } from '../helpers/fake-vscode-module.ts';
import { is } from '../helpers/late-services.ts';

fakeVscode();
const { diffReferenceOf, functionReferenceOf, locationOf, operationReferenceOf } =
  await import('../../extension/commands/command-arguments.ts');
const { lowerThresholds, table } = await import('../../extension/commands/commands.ts');
const { pickRun, sendLoadTo } = await import('../../extension/commands/load.ts');
const { remedyPageOf } = await import('../../extension/commands/go-to.ts');
const { profileTest } = await import('../../extension/commands/profile.ts');
const { whyNotRun } = await import('../../extension/run/can-run.ts');
const { activateCommands, activateStatusBar } = await import('../../extension/main.ts');

test('every command that is registered at the start does something', () => {
  const host = { services: { log: {} } };
  assert.ok(is<CommandHost>(host));
  activateCommands(host);
  assert.deepEqual([...fake.commands.keys()].toSorted(), Object.keys(table).toSorted());
});

test('lower thresholds are those that would show something, and the lowest has none', async () => {
  assert.deepEqual(lowerThresholds(10, 8.4), [5, 2, 1, 0.5]);
  assert.deepEqual(lowerThresholds(10, 1.5), [1, 0.5, 0.2, 0.1]);
  assert.deepEqual(lowerThresholds(10, null), [5, 2, 1, 0.5]);
  fake.settings.set(settings.threshold, 0.1);
  const host = { services: { results: { all: [] } } };
  assert.ok(is<CommandHost>(host));
  await table[commands.lowerThreshold]?.(host);
  fake.settings.clear();
  assert.deepEqual(fake.messages, ['No threshold is lower than 0.1 ms.']);
});

test('of a folder in the Test Explorer the tests are looked for, and only a program is a node to run', async () => {
  const runs = { remembered: [], start: () => assert.fail('the folder was run') };
  const host = { services: { log: { debug: () => undefined, error: () => undefined } }, runs };
  assert.ok(is<CommandHost>(host));
  await profileTest(host, { label: 'a', uri: { scheme: 'file', fsPath: import.meta.dirname } });
  assert.match(fake.errors.splice(0).join(), /^No folder is open/);
  for (const nodePath of [process.execPath, import.meta.dirname, 'node_modules/.bin/node']) {
    fake.settings.set(settings.nodePath, nodePath);
    assert.equal((await whyNotRun(host.services.log)) === null, nodePath === process.execPath, nodePath);
  }
  fake.settings.clear();
});

test('a link of a run that has ended leaves the other runs alone', async () => {
  const run = { recording: '/runs' };
  assert.ok(is<RunningTask>(run));
  assert.deepEqual([await pickRun([run], '/ended'), await pickRun([run], undefined)], [null, run]);
});

test('load is not sent while something else is measured', async () => {
  const event = (): void => undefined;
  const events = { onDidAccept: (accept: () => void) => accept(), onDidChangeValue: event, onDidHide: event };
  const list = { ...events, selectedItems: [{ label: 'GET /', args: [] }], show: event, dispose: event };
  Object.assign(window, { createQuickPick: () => list });
  const context = { workspaceState: { get: () => ({}), update: event }, asAbsolutePath: (file: string) => file };
  const run = { task: {}, recording: '/runs/1', servers: () => [{ url: 'http://127.0.0.1:1' }] };
  const services = { log: {}, measuring: new Set([{ name: 'Re-check rank' }]) };
  const host = { context, services, runs: { running: [run] } };
  assert.ok(is<CommandHost>(host));
  await sendLoadTo(host, undefined);
  assert.match(fake.warnings.splice(0).join(), /^“Re-check rank” is running, and two measurements would disturb/);
});

test('more… has the times of stacks as estimates where they are', async () => {
  const frames = ['handler', 'parse'].map((label, functionId) => ({ label, place: '', functionId, own: true }));
  const ask = async () => ({ title: '', callees: [] });
  const host = { services: { server: { ask, about: async () => [{ worstUs: 312_000, estimated: true, frames }] } } };
  assert.ok(is<CommandHost>(host));
  const shown: string[] = [];
  for (const way of ['Callers', 'Heaviest stacks']) {
    const showQuickPick = async (items: readonly { readonly label: string; readonly detail?: string }[]) => {
      shown.push(...items.map(({ label, detail = label }) => detail));
      return items.find(({ label }) => label.endsWith(way));
    };
    Object.assign(window, { showQuickPick });
    await table[internalCommands.moreActions]?.(host, { recording: '/r', functionId: 1 });
  }
  assert.deepEqual(shown.join(' ').match(/\S+ ms/g), ['≈312 ms', '≈312 ms']);
});

test('a function is named by its number, from a lens and from a row of the tree; anything else is nobody', () => {
  const reference = { recording: '/r', functionId: 0 };
  assert.deepEqual(functionReferenceOf(reference), reference);
  assert.deepEqual(functionReferenceOf({ recording: '/r', item: { functionId: 0 } }), reference);
  for (const wrong of [null, 'x', {}, { recording: '/r', functionId: -1 }, { recording: 1, functionId: 1 }])
    assert.equal(functionReferenceOf(wrong), null);
});

test('a diff is named by absolute paths of recordings on both sides, and a place or none', () => {
  const place = { url: 'file:///a.js', line: 3, name: 'parse' };
  assert.deepEqual(diffReferenceOf({ base: ['/a', ['/b', '/c']], head: ['C:\\d'], place }), {
    ...{ base: [['/a'], ['/b', '/c']], head: [['C:\\d']], place },
  });
  assert.equal(diffReferenceOf({ base: ['/a'], head: ['/b'] })?.place, null);
  const [base, head] = [['/a'], ['/b']];
  const many = Array.from({ length: 65 }, () => '/b');
  const heads = [[], ['b'], [[]], [7], ['//server/share'], [String.raw`\\server\share`], many];
  const places = ['parse', { ...place, line: 1.5 }, { ...place, url: 1 }];
  const others = [...heads.map((one) => ({ base, head: one })), ...places.map((place) => ({ base, head, place }))];
  for (const wrong of [null, [], 'x', { base }, ...others])
    assert.equal(diffReferenceOf(wrong), null, JSON.stringify(wrong));
});

test('a row without a function leads to its place, one about an operation to that, others to nothing', () => {
  const location = { uri: 'file:///a.js', line: 0, character: 0, inside: true };
  assert.deepEqual(locationOf({ recording: '/r', item: { functionId: -1, location } }), location);
  assert.equal(locationOf({ item: { location: null } }), null);
  assert.deepEqual(operationReferenceOf({ recording: '/r', operation: 0 }), { recording: '/r', operation: 0 });
  for (const wrong of [null, {}, { recording: '/r', operation: null }, { recording: '/r', operation: -1 }])
    assert.equal(operationReferenceOf(wrong), null);
});

test('a click on the status bar goes to the import of a package that blocks, and runs nothing', async () => {
  const location = { uri: 'file:///app/a.js', line: 1, character: 0, inside: true };
  const groups = [{ kind: 'package', items: [{ functionId: -1, location }] }];
  const server = { ask: async () => [{ recording: '/r', verdict: { findings: [] }, groups }] };
  const item = { command: '', show: () => undefined };
  Object.assign(window, { createStatusBarItem: () => item });
  const onDidChange = (update: () => void): void => update();
  const texts = { title: '', where: '', verdict: '', warnings: [] };
  const summary = { headline: null, worst: null, blame: { name: 'bcryptjs', worstUs: 118_000 }, ...texts };
  const services = { server, results: { all: [{ summary }], onDidChange }, lastRun: { state: null, onDidChange } };
  const host = { services, runs: { onDidChange } };
  assert.ok(is<CommandHost>(host));
  activateStatusBar(host.services, host.runs);
  await table[item.command]?.(host);
  assert.deepEqual(fake.opened.splice(0), ['/app/a.js']);
});

test('a link to a remedy opens one of our pages, and no other file', () => {
  assert.equal(remedyPageOf({ page: 'sorting' }), 'sorting');
  for (const wrong of [null, 'sorting', {}, { page: '../../package' }, { page: 'README' }, { page: 1 }])
    assert.equal(remedyPageOf(wrong), null);
});
