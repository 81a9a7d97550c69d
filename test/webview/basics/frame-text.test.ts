import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlameFrame } from '../../../protocol/flame.ts';
import { line1, milliseconds } from '../../../protocol/units.ts';
import {
  frameFigures,
  frameName,
  framePlace,
  frameSentence,
  hasSource,
  share,
} from '../../../webview/basics/frame-text.ts';
import { drawnFlame, frameNamed } from '../drawn-flame.ts';

const frame = frameNamed(drawnFlame('clone 30 own'), 'clone');
const at = (url: string, line = 12): FlameFrame => ({ ...frame, url, line: line1(line) });

test('a file of the workspace is named from its folder on', () => {
  const folders = ['file:///home/me/my%20shop'];
  assert.equal(framePlace(at('file:///home/me/my%20shop/src/caf%C3%A9.js'), folders), 'src/café.js:12');
  assert.equal(framePlace(at('/home/me/my shop/src/a.js'), folders), 'src/a.js:12');
  assert.equal(framePlace(at('file:///home/me/my%20shop-2/a.js'), folders), '/home/me/my shop-2/a.js:12');
});

test('where several folders are open the name of the folder is in front', () => {
  const folders = ['file:///home/me/shop', 'file:///home/me/api'];
  assert.equal(framePlace(at('file:///home/me/api/src/a.js'), folders), 'api/src/a.js:12');
  assert.equal(framePlace(at('file:///home/you/a.js'), folders), '/home/you/a.js:12');
});

test('a malformed url is shown as it is', () => {
  assert.equal(framePlace(at('file:///home/100%/a.js'), []), '/home/100%/a.js:12');
});

test('a long path keeps its end', () => {
  assert.match(framePlace(at(`file:///${'folder/'.repeat(100)}last.js`), []), /^….*\/last\.js:12$/);
});

test('Node and native functions have no source to open', () => {
  assert.equal(hasSource(at('node:fs')), false);
  assert.equal(hasSource(at('', 0)), false);
  assert.equal(hasSource(at('file:///a.js')), true);
});

test('a frame is one sentence to a screen reader', () => {
  assert.equal(
    frameSentence(at('file:///w/a.js'), { totalUs: milliseconds(60), estimated: true }, ['/w']),
    'clone, ≈30 ms total, 50 %, ≈30 ms self, Your code, a.js:12',
  );
});

test('a share never claims nothing where there is something', () => {
  assert.deepEqual(
    [share(1, 1_000_000), share(0, 10), share(5, 0), share(4, 1000), share(999, 1000)],
    ['<0.1 %', '0 %', '0 %', '0.4 %', '100 %'],
  );
});

test('what would turn the text around it is spelled out', () => {
  assert.equal(frameName({ ...frame, name: 'admin\u202egnp.js' }), 'admin\\u{202e}gnp.js');
  assert.equal(framePlace(at('/a\nb\u0000\u200b.js'), []), '/a b\\u{0}\\u{200b}.js:12');
});

test('a name of a megabyte is clipped', () => {
  assert.equal(frameName({ ...frame, name: 'x'.repeat(1_000_000) }).length, 201);
});

test('a frame without a name is anonymous', () => {
  assert.equal(frameName({ ...frame, name: '' }), '(anonymous)');
});

test('a file of Windows is shown below its folder, however an editor spells that', () => {
  const folders = ['file:///c%3A/L%C3%A4den', 'file://server/share/web'];
  assert.equal(framePlace(at('file:///C:/L%C3%A4den/src/a.js'), folders.slice(0, 1)), 'src\\a.js:12');
  assert.equal(framePlace(at('file:///C:/L%C3%A4den/src/a.js'), folders), 'Läden\\src\\a.js:12');
  assert.equal(framePlace(at('file://server/share/web/a.js'), folders), 'web\\a.js:12');
});

test('a line that nobody knows is said of a file, and of nothing else', () => {
  assert.equal(framePlace(at('file:///w/a%20b.js', 0), ['/w']), 'a b.js (line unknown)');
  assert.equal(framePlace(at('C:\\w\\a.js', 0), []), 'C:\\w\\a.js (line unknown)');
  assert.equal(framePlace(at('node:fs', 0), []), 'node:fs');
  assert.equal(framePlace(at('evalmachine.<anonymous>', 0), []), 'evalmachine.<anonymous>');
  assert.equal(framePlace(at('', 0), []), '');
});

test('the figures of a function that was long only the first time are the words of every surface', () => {
  const figures = { worstUs: milliseconds(58), longCount: 1, distinctStacks: 1, estimated: false };
  const first = { ...frame, figures, firstTime: { loads: 'ejs\u202e', thenUs: null } };
  assert.equal(frameFigures(first, milliseconds(10)), 'loads ejs: 58 ms the first time');
  assert.equal(frameFigures({ ...frame, figures }, milliseconds(10)), '58 ms worst · 1 × >10 ms · 1 stack');
  assert.equal(frameFigures(frame, milliseconds(10)), '');
});
