import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ranOnHead, testsIn } from '../../../engine/compare/ran-on-head.ts';
import { testKeyBelow } from '../../../engine/compare/side.ts';
import { readTests } from '../../../engine/read/sidecars/read-sidecars.ts';
import { sideOf } from '../../helpers/drawn-sides.ts';

/** Tests below a folder: the title, how it ended (nothing in an old recording), and the file: `adds passed b.test.js`. */
function runIn(folder: string, tests: readonly string[]) {
  const lines = tests.flatMap((said, id) => {
    const [title = '', outcome, file = 'a.test.js'] = said.replace('FOLDER', folder).split(' ');
    if (title === 'untold') return [[title, id, file]];
    const begin = ['begin', id, id, `${folder}/${file}`, [title], -1];
    return outcome === 'begun' ? [begin] : [begin, ['end', id, id, outcome]];
  });
  return testsIn([{ tests: readTests(lines) }], [folder]);
}

/** Whether the test of the base in which a function had its worst (null: it is not known) ran on the head, too. */
function ran(base: readonly string[], head: readonly string[], where: string | null) {
  const key = where === null ? null : testKeyBelow({ file: '/was/a.test.js', name: where }, ['/was']);
  const [fn = assert.fail()] = sideOf({ parse: { runs: [] } });
  const runs = [runIn('/is', head), runIn('/is', [...head, 'other passed'])];
  return ranOnHead([runIn('/was', base)], runs)?.({ ...fn, longTests: new Map([[key, true]]) }, 'worst');
}

test('a function ran on the head where each test with its worst passed there, as often as on the base', () => {
  assert.equal(ran(['adds passed', 'other passed'], ['adds passed'], 'adds'), true);
  assert.equal(ran(['FOLDER/a.js passed'], ['FOLDER/a.js passed'], '/was/a.js'), true);
  for (const head of ['adds skipped', 'adds failed', 'adds begun', 'adds passed b.test.js'])
    assert.equal(ran(['adds passed'], [head], 'adds'), false, head);
  assert.equal(ran(['adds passed', 'adds passed'], ['adds passed', 'adds skipped'], 'adds'), false);
});

test('where its test is not known, all must have passed; and what a recording does not say is not known', () => {
  assert.equal(ran(['adds passed', 'skips skipped'], ['adds passed'], null), true);
  assert.equal(ran(['adds passed'], ['other passed'], null), null);
  assert.equal(ran(['adds'], ['adds'], 'adds'), null);
  assert.equal(ran(['adds passed'], ['untold'], 'adds'), null);
  assert.equal(ran([], [], null), undefined, 'no tests');
});
