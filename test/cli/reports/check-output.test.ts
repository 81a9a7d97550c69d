import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../../helpers/run-here.ts';

const check = async (...words: readonly string[]) =>
  runHere(['check', ...words, '--', 'x'], { cwd: '/nowhere', env: {} });

test('two things for standard output are refused before anything runs', async () => {
  for (const words of [
    ['--report', 'sarif', '--report', 'github'],
    ['--json', '--report', 'github'],
  ]) {
    const { code, stderr } = await check(...words);
    assert.equal(code, 2);
    assert.match(stderr, /^hotspan: Only one thing can go to standard output: name files for the reports/);
  }
  const twice = await check('--report', 'sarif=a', '--report', 'sarif=./a');
  assert.match(twice.stderr, /^hotspan: Only one report can go to .nowhere.a: name a file for each\.$/m);
  const { stderr } = await check('--json', '--report', 'sarif=a.sarif');
  assert.match(stderr, /^hotspan: hotspan\.budget\.json is not here/);
});
