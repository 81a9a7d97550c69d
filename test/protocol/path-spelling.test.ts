import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  canonicalPath,
  isAtOrBelow,
  isInside,
  isSamePath,
  pathBelow,
  spellingIn,
  systemPath,
} from '../../protocol/path-spelling.ts';

const spellings = [
  String.raw`C:\Läden 1\shop\src\a.js`,
  'c:/Läden 1/shop/src/a.js',
  String.raw`c:\läden 1/SHOP\src\A.js`,
];

test('all spellings of a path of Windows are the same path, and below the same folder', () => {
  for (const path of spellings) {
    for (const other of spellings) assert.ok(isSamePath(path, other), `${path} ${other}`);
    for (const folder of ['C:/Läden 1/shop', 'c:\\läden 1\\shop\\', 'C:', 'c:/'])
      assert.ok(isInside(path, [folder]), `${path} ${folder}`);
    assert.equal(pathBelow(path, 'c:/läden 1/shop')?.toLowerCase(), 'src/a.js');
    assert.equal(spellingIn(['C:/b.js', 'C:/Läden 1/shop/src/a.js'], path), 'C:/Läden 1/shop/src/a.js');
  }
  assert.equal(canonicalPath(spellings[2] ?? ''), 'C:/läden 1/SHOP/src/A.js');
  assert.equal(systemPath('C:/a/b.js'), String.raw`C:\a\b.js`);
});

test('a share is a folder of Windows, too', () => {
  const share = String.raw`\\Server\share\shop`;
  assert.equal(pathBelow('//server/share/shop/a b.js', share), 'a b.js');
  assert.equal(pathBelow('//server/share/shops/a.js', share), null);
  assert.equal(canonicalPath(share), '//Server/share/shop');
});

test('other systems know case, and have names with a backslash', () => {
  assert.equal(canonicalPath(String.raw`/app/a\b.js`), String.raw`/app/a\b.js`);
  assert.equal(systemPath('/app/a.js'), '/app/a.js');
  assert.ok(!isSamePath('/app/A.js', '/app/a.js'));
  assert.equal(spellingIn(['/app/A.js'], '/app/a.js'), undefined);
  assert.equal(pathBelow('/application/a.js', '/app'), null);
  assert.equal(pathBelow('/app/a.js', '/'), 'app/a.js');
});

test('a folder is not in itself', () => {
  for (const folder of ['/app', 'C:/app', String.raw`C:\app`]) {
    assert.ok(!isInside(folder, [folder]));
    assert.ok(isAtOrBelow(folder, `${folder}/`));
  }
});
