import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsIn } from '../../../helpers/drawn-hotspots.ts';
import { profileOf } from '../../../helpers/drawn-profile.ts';

/** What is said of a recorded process in which a function of `file` ran. */
async function saidOf(file: string, tests: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const profile = JSON.stringify(profileOf([['work']], [5])).replaceAll(/"url":"[^"]+"/g, `"url":"${file}"`);
  const { report } = await hotspotsIn({
    '/rec/recording.json': JSON.stringify({ cwd: '/app' }),
    '/rec/7-0-x.0.cpuprofile': profile,
    '/rec/7-0-x.turns.jsonl': '["mark",2053000]',
    ...tests,
  });
  return report.warnings.filter((warning) => warning.includes('not report'));
}

test('a runner that ran and told of no test is named; one that did is not, and no runner neither', async () => {
  const circus = '/app/node_modules/jest-circus/build/run.js';
  assert.match((await saidOf(circus)).join(), /^Jest ran, but did not report its tests, so /);
  assert.match((await saidOf('/app/node_modules/mocha/lib/runner.js')).join(), /^Mocha ran, /);
  assert.deepEqual(await saidOf(circus, { '/rec/7-0-x.tests.jsonl': '["begin",1,1,"/app/a.test.js",["a"],-1]' }), []);
  assert.deepEqual(await saidOf('/app/src/work.js'), []);
});

test('of a runner whose tests cannot be seen it is said that it does not report them, also after a failure', async () => {
  const unreported = { '/rec/7-0-x.tests.jsonl': '["unreported",1]' };
  const jasmine2 = '/app/node_modules/jest-jasmine2/build/index.js';
  assert.match((await saidOf(jasmine2, unreported)).join(), /^Jest with jasmine2 does not report its tests to Hotspan/);
  for (const [file, runner] of [
    ['jasmine-core/lib/jasmine-core/jasmine.js', 'Jasmine'],
    ['ava/lib/worker/base.js', 'AVA'],
    ['@tapjs/core/dist/commonjs/tap.js', 'tap'],
    ['tape/lib/test.js', 'tape'],
    ['uvu/dist/index.js', 'uvu'],
  ])
    assert.match((await saidOf(`/app/node_modules/${file}`)).join(), new RegExp(`^${runner} does not report`));
  for (const loaded of ['tapable/index.js', 'uvu/assert/index.mjs', 'uvu/diff/index.js', '@tapjs/stack/dist/index.js'])
    assert.deepEqual(await saidOf(`/app/node_modules/${loaded}`), [], loaded);
});
