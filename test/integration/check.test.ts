// The budgets themselves are tested on recordings in test/cli/commands/check.test.ts.
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { work } from '../helpers/blocking-shop.ts';
import { busyFor } from '../helpers/busy-for.ts';
import { Repository, write } from '../helpers/temporary-repository.ts';
import { assertJudged, run } from './judged-runs.ts';

test('hotspan check writes a budget of three runs, also of code without a name, and judges by it', async () => {
  const program = `${work('quote', 150)}${busyFor(150)}\n(function () { ${busyFor(150)} })();\nsetImmediate(quote);\n`;
  const repository = new Repository({ 'shop.js': program });
  const command = ['--', process.execPath, 'shop.js'];
  assert.equal((await run(repository, 'check', '--update', ...command)).code, 0);
  const text = readFileSync(path.join(repository.folder, 'hotspan.budget.json'), 'utf8');
  assert.match(text, /"node": "\d+\.\d+\.\d+",/);
  assert.match(text, /shop\.js#\(anonymous\)[^]*shop\.js#\(module\)/);
  // Twice its 150 ms, less what V8's other threads have of them: the processor time of the whole process counts.
  assert.ok(Number(/"shop\.js#quote": \{\s+"worstMs": (\d+)/.exec(text)?.[1]) >= 150, text);
  const checked = await run(repository, 'check', ...command);
  assertJudged(checked);
  assert.match(checked.stdout, /quote {2}shop\.js:2/);
  assert.match(checked.stderr, /^hotspan: Run 1 of at most 3 …$/m);
  repository.assertClean('?? hotspan.budget.json\n');
});

test('an edit by the first run of a check or a baseline is said, though what it made quick has no sample', async () => {
  const edit = "process.on('exit', () => require('node:fs').writeFileSync(__filename, 'let quick;\\n'));\n";
  const files = { 'shop.js': `${work('quote', 150)}setImmediate(quote);\n${edit}` };
  const budget = JSON.stringify({ version: 1, functions: { 'shop.js#quote': { worstMs: 20 } } });
  const repository = new Repository({ ...files, 'hotspan.budget.json': budget });
  const ends = [
    [['check'], 3, /Not all could be judged[^]*run-1 and .*run-3 ran different code: shop\.js differs\./],
    [['check', '--update'], 2, /shop\.js differs\..* No budget was written\./],
    [['baseline'], 2, /shop\.js differs\..* No baseline was set\./],
  ] as const;
  for (const [words, code, said] of ends) {
    write(repository.folder, files);
    const ended = await run(repository, ...words, '--', process.execPath, 'shop.js');
    assert.match(ended.stdout + ended.stderr, said);
    assert.equal(ended.code, code);
  }
  // What git ignores is made by each run.
  const built = `${work('quote', 20)}quote();\n`;
  const build = `require('node:fs').writeFileSync('built.js', ${JSON.stringify(built)} + process.pid);\n`;
  write(repository.folder, { '.gitignore': 'built.js', 'shop.js': `${build}require('./built.js');\n` });
  const same = await run(repository, 'check', '--update', '--', process.execPath, 'shop.js');
  assert.equal(same.code, 0, same.stderr);
});

test('hotspan check repeats the whole command where test files share a thread: alone, a warm call is a first one', async () => {
  const names = ['quote', 'tax', 'total', 'discount']; // A late sampler misses one or another.
  const first =
    "const quick = (fn) => it(fn.name, () => void fn(6));\nconst shop = Object.values(require('./shop.js'));\n";
  const repository = new Repository({
    'a.test.js': `${first}for (let at = 0; at < 40; at++) quick(shop[at % 4]);\n`,
    'b.test.js': `${first}for (const fn of shop) it(fn.name, () => void fn(80));\nfor (const fn of shop) quick(fn);\n`,
    'shop.js': `${names.map((name) => work(name, 'arguments[0]')).join('')}module.exports = { ${names.join(', ')} };\n`,
    'package.json': '{ "devDependencies": { "mocha": "*" } }',
    'hotspan.budget.json': JSON.stringify({ version: 1, files: { 'shop.js': { worstMs: 30 } } }),
  });
  symlinkSync(path.join(import.meta.dirname, '../../node_modules'), path.join(repository.folder, 'node_modules'));
  const checked = await run(repository, 'check', '--', 'node', 'node_modules/mocha/bin/mocha.js', '*.test.js');
  assert.match(
    checked.stderr,
    /\d budgets? exceeded once: the command is run twice more[^]*^hotspan: Run 3 of 3 … about \d+ s left$/m,
  );
  assert.equal(checked.code, 1, checked.stdout);
});
