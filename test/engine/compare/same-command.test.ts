import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandText, isSameCommand } from '../../../engine/compare/same-command.ts';

const checkout = '/home/u/shop';
const base = '/tmp/hotspan-base-Q1/shop';
/** Whether commands are the same where they run in this folder below two checkouts of a project; `there`: of the second. */
const same = (below: string, command: string, there = command.replaceAll(checkout, base)): boolean =>
  isSameCommand({ words: command.split(' '), cwd: checkout + below }, { words: there.split(' '), cwd: base + below });

for (const [what, below, command] of [
  ['in its root', '', `node ${checkout}/test/a.js --config=${checkout}/a.json`],
  ['by a runner above its package', '/packages/a', `node ${checkout}/node_modules/vitest/vitest.mjs run`],
  ['with files of another package', '/packages/a', `node ${checkout}/packages/b/m.js --c=${checkout}/c.js`],
  ['by a shell', '/packages/a', `sh -c cd ${checkout}/packages/a&&node "${checkout}/m.js"`],
] as const)
  test(`a command is the same in two checkouts of a project: ${what}`, () => assert.ok(same(below, command)));

test('so is one that names a file of one checkout on both sides, or outside of both', () => {
  for (const word of [`--out=${checkout}/report.json`, '/home/u/.nvm/node', '/home/u/shop.env'])
    assert.ok(same('', `node m.js ${word}`, `node m.js ${word}`), word);
});

test('it is another one where a word is', () => {
  for (const [one, other] of [
    ['npm test', 'npm start'],
    ['npm test', 'npm test -- a'],
    [`node ${checkout}/a.js`, `node ${base}/b.js`],
    [`node ${checkout}/a.js`, `node ${base}/packages/a.js`],
    [`node ${checkout}.js`, `node ${base}/.js`],
  ] as const)
    assert.ok(!same('', one, other), `${one}, ${other}`);
});

test('a command of Windows is the same in two checkouts, too', () => {
  const of = (root: string) => ({ words: ['node', `${root}\\node_modules\\jest.js`], cwd: `${root}\\a` });
  assert.ok(isSameCommand(of('C:\\work\\shop'), of('D:\\temp\\hotspan-base-Q1')));
});

test('it is shown with its folder as a dot, and what only begins like that as it is', () => {
  assert.equal(commandText({ words: ['/app/m.js', '/app.env', '/apps/x'], cwd: '/app' }), './m.js /app.env /apps/x');
});
