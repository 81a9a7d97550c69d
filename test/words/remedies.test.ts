import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { remediesFor } from '../../words/remedies.ts';
import { remedyPages } from '../../protocol/ids.ts';
import { column0, line0 } from '../../protocol/units.ts';
import { projectFile } from '../helpers/project.ts';
import { asked, pagesFor } from '../helpers/remedy-examples.ts';

test('where a call takes a callback, it is said that this does not help', () => {
  const [remedy] = remediesFor(asked("import bcrypt from 'bcryptjs';\nbcrypt.hash(password, 12, done);", 1));
  assert.match(remedy?.text ?? '', /A callback does not make it non-blocking/);
});

test('of one kind only the most precise remedy is said, and two at the most', () => {
  assert.deepEqual(pagesFor('JSON.parse(JSON.stringify(x))'), ['json-clone']);
  assert.equal(pagesFor('a.sort(); console.trace(); fs.statSync(d); JSON.parse(e)').length, 2);
});

test('a function has no remedy for what another one does on its line', () => {
  const source = 'function f(x) { return x.map((y) => [...y].sort()); }';
  const fn = { line: line0(0), column: column0(10), name: 'f', moduleBody: false };
  assert.deepEqual([pagesFor(source), remediesFor({ ...asked(source, 0), fn })], [['sorting'], []]);
});

test('an ordinary line, and one that is not there, has none', () => {
  assert.deepEqual(pagesFor('const total = price * count;'), []);
  assert.deepEqual(remediesFor(asked('', 7)), []);
});

test('a line of a bundle, and one that is being written, are looked at as well', () => {
  assert.deepEqual(pagesFor(`rows.sort();${'('.repeat(1e6)}`), ['sorting']);
  for (const broken of ["'", '`${', '/[', 'a.sort(', 'x = /(/.test(y']) assert.ok(pagesFor(broken).length <= 2);
});

test('each remedy has its page, which says when not to use it, and the list of pages has each', () => {
  const list = readFileSync(projectFile('docs/remedies/README.md'), 'utf8');
  for (const page of remedyPages) {
    const file = projectFile('docs/remedies', `${page}.md`);
    assert.ok(existsSync(file), page);
    const headings = [...readFileSync(file, 'utf8').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(
      headings,
      ['What the rule sees', 'Why it blocks', 'Ways out', 'When not to', 'Did it help?'],
      page,
    );
    assert.ok(list.includes(`(${page}.md)`), page);
  }
});
