import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { assertEach } from '../helpers/assert-each.ts';
import { settings } from '../../protocol/ids.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { fake } from '../helpers/fake-vscode-module.ts';
import { lateServices, until } from '../helpers/late-services.ts';

fakeVscode();
const { readPathRules, settingOf, ...given } = await import('../../extension/ui/settings.ts');
const { activateSettings } = await import('../../extension/main.ts');

const folders = [
  { name: 'shop', path: path.resolve('/ws/shop') },
  { name: 'lib', path: path.resolve('/ws/lib') },
];

test('a folder here is named from an open folder, from the first one, or by its path', () => {
  const { rules, problems } = readPathRules(
    {
      '/app': '${workspaceFolder}/packages/api',
      [String.raw`C:\agent\s`]: '${workspaceFolder:lib}',
      'file:///workspaces/shop': '.',
      '/srv/api': '/ws/lib/api',
    },
    folders,
  );
  assertEach(
    rules,
    ({ to }) => to,
    ['/ws/shop/packages/api', '/ws/lib', '/ws/shop', '/ws/lib/api'].map((one) => path.resolve(one)),
  );
  assert.deepEqual(problems, []);
});

test('null stands for no folder, about which nothing is asked', () => {
  assert.deepEqual(readPathRules({ '/app': null }, folders), { rules: [], left: ['/app'], problems: [] });
});

const noPath = 'its name is not an absolute path below the root, such as "/app"';
for (const [from, to, why] of [
  ['app', '.', noPath],
  ['/', '.', noPath],
  ['/app', 5, 'its value is neither a folder, such as "${workspaceFolder}/packages/api", nor null'],
  ['/app', '${workspaceFolder}/../other', `${path.resolve('/ws/other')} is in no folder that is open`],
  ['/app', '/ws/shopping', `${path.resolve('/ws/shopping')} is in no folder that is open`],
  ['/app', '${workspaceFolder:gone}', 'no open folder has the name "gone"'],
] as const) {
  test(`refused in one sentence: ${from} → ${to}`, () => {
    const { rules, problems } = readPathRules({ [from]: to }, folders);
    assert.deepEqual([rules, problems], [[], [`The rule "${from}" of hotspan.pathMappings is not used: ${why}.`]]);
  });
}

test('without an open folder, or an object, there is no rule', () => {
  assert.deepEqual(
    [...readPathRules({ '/app': '.' }, []).problems, ...readPathRules(['/app'], folders).problems],
    [
      'The rule "/app" of hotspan.pathMappings is not used: no folder is open.',
      'The setting hotspan.pathMappings is not used: it is not an object that gives each folder there its folder here.',
    ],
  );
});

test('the setting names a folder by the open one, so that it holds on other machines', () => {
  assert.equal(settingOf('/ws/shop/packages/api', folders.slice(0, 1)), '${workspaceFolder}/packages/api');
  assert.equal(settingOf('/ws/lib', folders), '${workspaceFolder:lib}');
});

test('a value of another kind or beyond its limits is not used; without lenses in the editor ours are off', () => {
  const used = () => [given.analysisOptions(), given.displayOptions(), given.recorderOptions(), given.recheckOnSave()];
  const standard = used();
  for (const wrong of [{}, [5], -5, null]) {
    for (const id of Object.values(settings)) fake.settings.set(id, wrong);
    assert.deepEqual(used(), standard);
  }
  fake.settings.set('editor.codeLens', false);
  assert.ok(!given.displayOptions().codeLens);
  fake.settings.clear();
  for (const id of [settings.interval, settings.recordingsKeep, settings.recordingsMaxSize])
    fake.settings.set(id, 60.5);
  assert.deepEqual(used(), standard);
  fake.settings.clear();
});

test('that is said at the start and when the value changes, with the way to its setting', async () => {
  const opened: unknown[] = [];
  const execute = async (...call: unknown[]) => opened.push(call);
  Object.assign(fake, { execute, choice: async () => 'Open Settings' });
  fake.settings.set(settings.threshold, 'abc');
  activateSettings(lateServices().services.log);
  for (const changed of [settings.pathMappings, settings.threshold])
    fake.changedConfiguration.fire({ affectsConfiguration: (id: string) => id === changed });
  await until(() => opened.length > 1);
  const said = `The setting ${settings.threshold} is not used: give milliseconds from 0.1 to 60000.`;
  assert.deepEqual(fake.warnings, [said, said]);
  assert.deepEqual(opened[0], ['workbench.action.openSettings', settings.threshold]);
});
