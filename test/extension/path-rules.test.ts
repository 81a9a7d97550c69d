import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { assertEach } from '../helpers/assert-each.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';

fakeVscode();
const { readPathRules, settingOf } = await import('../../extension/ui/settings.ts');

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

for (const [setting, problem] of [
  [
    { app: '.' },
    'The rule "app" of hotspan.pathMappings is not used: its name is no absolute path below the root, such as "/app".',
  ],
  [
    { '/': '.' },
    'The rule "/" of hotspan.pathMappings is not used: its name is no absolute path below the root, such as "/app".',
  ],
  [
    { '/app': 5 },
    'The rule "/app" of hotspan.pathMappings is not used: its value is neither a folder, such as "${workspaceFolder}/packages/api", nor null.',
  ],
  [
    { '/app': '${workspaceFolder}/../other' },
    `The rule "/app" of hotspan.pathMappings is not used: ${path.resolve('/ws/other')} is in no folder that is open.`,
  ],
  [
    { '/app': '/ws/shopping' },
    `The rule "/app" of hotspan.pathMappings is not used: ${path.resolve('/ws/shopping')} is in no folder that is open.`,
  ],
  [
    { '/app': '${workspaceFolder:gone}' },
    'The rule "/app" of hotspan.pathMappings is not used: no open folder has the name "gone".',
  ],
  [
    ['/app'],
    'The setting hotspan.pathMappings is not used: it is no object that gives each folder there its folder here.',
  ],
] as const) {
  test(`refused in one sentence: ${JSON.stringify(setting)}`, () => {
    const { rules, problems } = readPathRules(setting, folders);
    assert.deepEqual([rules, problems], [[], [problem]]);
  });
}

test('without an open folder there is no rule', () => {
  assert.deepEqual(readPathRules({ '/app': '.' }, []).problems, [
    'The rule "/app" of hotspan.pathMappings is not used: no folder is open.',
  ]);
});

test('the setting names a folder by the open one, so that it holds on other machines', () => {
  assert.equal(settingOf('/ws/shop/packages/api', folders.slice(0, 1)), '${workspaceFolder}/packages/api');
  assert.equal(settingOf('/ws/lib', folders), '${workspaceFolder:lib}');
});
