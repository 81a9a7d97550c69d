import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfThisMachine, isWithin } from '../../protocol/machine-path.ts';

test('a path that is longer than any system takes is none', () => {
  assert.ok(isOfThisMachine(`/${'a'.repeat(32_766)}`));
  assert.ok(!isOfThisMachine(`/${'a'.repeat(32_767)}`));
});

test('a path below more folders than anybody makes is none', () => {
  assert.ok(isOfThisMachine('/a'.repeat(512)));
  assert.ok(!isOfThisMachine('/a'.repeat(513)));
  assert.ok(!isOfThisMachine('\\a'.repeat(513)));
});

const mounting = [
  ...['/net/evil.example/share/a.js', '/NET/evil.example/a.js', '/net//evil.example/a.js', '\\net\\evil.example\\a.js'],
  ...['/./net/evil.example/a.js', '/app/../net/evil.example/a.js', '/app//../net/evil.example/a.js', '/../net/evil'],
  ...['../../../net/evil.example/a.js', 'a/../../../../net/evil.example/a.js', '/net/./evil.example/a.js'],
  ...['/Network/Servers/evil.example/a.js', '/System/Volumes/Data/net/evil.example/a.js', '/afs/evil.example/a.js'],
  ...['/proc/self/cwd/net/evil.example/a.js', '/proc/1/cwd/a.js', '/proc/kmsg', '/net/evil.example'],
];

for (const path of mounting) {
  test(`${path} is not asked for: a look alone may mount it`, () => {
    assert.ok(!isWithin(path, []));
    assert.ok(!isWithin(path, ['/app', '/net/people/me/shop', '/home/me', 'C:\\app']));
  });
}

test('a project that lies in such a folder has its files there, and none of another host', () => {
  const opened = ['/net/people/me/shop'];
  assert.ok(isWithin('/net/people/me/shop/src/a.ts', opened));
  assert.ok(isWithin('/net/people/package.json', opened));
  assert.ok(!isWithin('/net/evil/me/shop/a.ts', opened));
  assert.ok(!isWithin('/net/people/../evil/a.ts', opened));
  assert.ok(!isWithin(`/net/people${'/a'.repeat(513)}`, opened));
});

test('a folder of this machine may be called like that', () => {
  const paths = ['/home/net/a/b.js', '/app/proc/a.js', '/net', '/network.js', '/netx/a/b.js', '/home/me/a.js'];
  for (const path of [...paths, 'net/a/b.js', 'C:\\net\\a\\b.js']) assert.ok(isWithin(path, []), path);
});
