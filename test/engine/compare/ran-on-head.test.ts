import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ranOnHead, testsIn } from '../../../engine/compare/ran-on-head.ts';
import { testKeyBelow } from '../../../engine/compare/side.ts';
import { readTests } from '../../../engine/read/sidecars/read-sidecars.ts';
import { sideOf } from '../../helpers/drawn-sides.ts';

/** Tests of `a.test.js` below a folder, each as its title and how it ended: `adds passed`, or `adds` in an old recording. */
function runIn(folder: string, tests: readonly string[], ...more: readonly unknown[]) {
  const lines = tests.flatMap((said, id) => {
    const [title = '', outcome] = said.replace('FOLDER', folder).split(' ');
    const begin = ['begin', id, id, `${folder}/a.test.js`, [title], -1];
    return outcome === 'begun' ? [begin] : [begin, ['end', id, id, ...(outcome === undefined ? [] : [outcome])]];
  });
  return testsIn([{ tests: readTests([...lines, ...more]) }], [folder]);
}

/** Whether the test of the base in which a function had its worst (null: it is not known) ran on the head, too. */
function ran(base: readonly string[], head: readonly string[], where: string | null, untold = false) {
  const key = where === null ? null : testKeyBelow({ file: '/was/a.test.js', name: where }, ['/was']);
  const [fn = assert.fail()] = sideOf({ parse: { runs: [] } });
  const runs = [head, [...head, 'other passed']].map((run) =>
    runIn('/is', run, ...(untold ? [['untold', 0, '']] : [])),
  );
  return ranOnHead([runIn('/was', base)], runs)?.({ ...fn, longTests: new Map([[key, true]]) }, 'worst');
}

test('a function ran on the head where each test with its worst passed there, as often as on the base', () => {
  assert.equal(ran(['adds passed', 'other passed'], ['adds passed'], 'adds'), true);
  assert.equal(ran(['FOLDER/a.js passed'], ['FOLDER/a.js passed'], '/was/a.js'), true);
  for (const head of ['adds skipped', 'adds failed', 'adds begun', 'renamed passed'])
    assert.equal(ran(['adds passed'], [head], 'adds'), false, head);
  assert.equal(ran(['adds passed', 'adds passed'], ['adds passed', 'adds skipped'], 'adds'), false);
});

test('where its test is not known, all must have passed; and what a recording does not say is not known', () => {
  assert.equal(ran(['adds passed', 'skips skipped'], ['adds passed'], null), true);
  assert.equal(ran(['adds passed'], ['other passed'], null), null);
  assert.equal(ran(['adds'], ['adds'], 'adds'), null);
  assert.equal(ran(['adds passed'], [], 'adds', true), null);
  assert.equal(ran([], [], null), undefined, 'no tests');
});
