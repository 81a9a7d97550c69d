import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWorkspace, projectAround } from '../../../../engine/read/functions/find-workspace.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';
import { warningText } from '../../../../words/warnings/warning-text.ts';

test('a folder is widened to the repository that it is in', async () => {
  const world = memoryWorld({ '/srv/shop/.git/HEAD': 'ref', '/srv/shop/packages/api/package.json': '{}' });
  assert.equal(await projectAround('/srv/shop/packages/api/src', world), '/srv/shop');
});

test('a linked work tree is a repository too', async () => {
  assert.equal(await projectAround('/srv/shop/src', memoryWorld({ '/srv/shop/.git': 'gitdir: x' })), '/srv/shop');
});

test('without a repository, to the nearest package', async () => {
  const world = memoryWorld({ '/srv/package.json': '{}', '/srv/shop/package.json': '{}' });
  assert.equal(await projectAround('/srv/shop/src/deep', world), '/srv/shop');
});

test('without a repository, to the whole monorepo', async () => {
  const packages = { '/srv/shop/packages/api/package.json': '{}', '/srv/package.json': '{}' };
  const api = '/srv/shop/packages/api/src';
  const described = { ...packages, '/srv/shop/package.json': '{"workspaces":["packages/*"]}' };
  assert.equal(await projectAround(api, memoryWorld(described)), '/srv/shop');
  for (const file of ['pnpm-workspace.yaml', 'lerna.json', 'nx.json', 'turbo.json']) {
    const marked = { ...packages, '/srv/shop/package.json': '{', [`/srv/shop/${file}`]: '' };
    assert.equal(await projectAround(api, memoryWorld(marked)), '/srv/shop', file);
  }
});

test('a workspace inside another one is a part of it', async () => {
  const workspaces = '{"workspaces":["*"]}';
  const world = memoryWorld({ '/srv/package.json': workspaces, '/srv/shop/package.json': workspaces });
  assert.equal(await projectAround('/srv/shop/api', world), '/srv');
});

test('without either, it is the folder itself', async () => {
  assert.equal(await projectAround('/srv/shop/', memoryWorld({})), '/srv/shop/');
});

test('folders that were given are taken as they are; a recording counts before the current folder', async () => {
  const recorded = { cwd: '/run', evaluated: false };
  const rootsOf = async (...roots: readonly string[]) =>
    (await findWorkspace(recorded, { roots, currentFolder: '/c' }, memoryWorld({}))).workspace.roots;
  assert.deepEqual(await rootsOf('/a', '/b'), ['/a', '/b']);
  assert.deepEqual(await rootsOf(), ['/run']);
});

test('a pattern that is not a regular expression is said, and left out', async () => {
  const { workspace, warnings } = await withTestPatterns('(', '^t/');
  assert.deepEqual(workspace.testPatterns, [/^t\//]);
  assert.match(warnings.map(warningText).join(), /"\("/);
});

for (const pattern of ['(a+)+$', '(a|a)*b', '^(\\w+/?)+x$', '((a)*)*', '(?:a*){2,}', '(?<n>.*)+', 'a'.repeat(1001)]) {
  test(`a pattern that could hold the server is refused: ${pattern.slice(0, 20)}`, async () => {
    const { workspace, warnings } = await withTestPatterns(pattern);
    assert.equal(workspace.testPatterns.length, 0);
    assert.match(warnings.map(warningText).join(), /forever: correct|longer than 1000 characters: correct/);
  });
}

const usual = String.raw`(^|/)e2e/ \.(spec|e2e)\.[cm]?[jt]sx?$ ^checks/.* (/__x__)+ [(a+)+] \(a+\)+ a{2}`.split(' ');
for (const pattern of usual) {
  test(`a usual pattern counts: ${pattern}`, async () => {
    assert.equal((await withTestPatterns(pattern)).workspace.testPatterns.length, 1);
  });
}

function withTestPatterns(...testPatterns: readonly string[]): ReturnType<typeof findWorkspace> {
  return findWorkspace({ cwd: null, evaluated: false }, { roots: ['/app'], testPatterns }, memoryWorld({}));
}
