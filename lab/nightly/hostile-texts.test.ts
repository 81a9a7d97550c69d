// Texts that make a careless regular expression slow. What one match costs cannot be counted in steps: here is a clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchFlame } from '../../show/flame/flame.ts';
import { testRegex } from '../../language-server/recordings/questions.ts';
import { withoutComments } from '../../recorder/launch/packages/literals.ts';
import { findTargets } from '../../recorder/launch/targets/find-targets.ts';
import { hotspotsOf } from '../../test/helpers/drawn-hotspots.ts';
import { pagesFor } from '../../test/helpers/remedy-examples.ts';
import { drawnFiles, scripts } from '../../test/recorder/drawn-files.ts';

/** In ms. */
async function timeOf(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

for (const part of [
  '`${name} ${time / 1e9}s`, log.meta({ force: options.timing })',
  ...['/[', "'", '((', '...', 'a.reduce((b => ', '* '],
])
  test(`a line of nothing but ${part} has its remedies at once`, async () => {
    assert.ok((await timeOf(() => pagesFor(part.repeat(2000)))) < 1000);
  });

test('comments that never end are read at once', async () => {
  assert.ok((await timeOf(() => withoutComments(`a ${'/* '.repeat(10_000)}`))) < 1000);
});

test('a pnpm-workspace.yaml that anybody wrote is read at once, or not at all', async () => {
  for (const many of [' ', '\n', '#\n', '[', '{', '"', "'", 'a', '- ', '? '])
    for (const opening of ['packages:', 'packages:\n- a', 'packages: ['])
      for (const length of [90_000, 30_000_000]) {
        const yaml = opening + many.repeat(length / many.length);
        const files = { '/repo/package.json': scripts({ test: 'mocha' }), '/repo/pnpm-workspace.yaml': yaml };
        assert.ok((await timeOf(() => findTargets('/repo', drawnFiles(files)))) < 1000, yaml.slice(0, 40));
      }
});

test('a search by an evil regular expression is given up', async () => {
  const { analysis } = await hotspotsOf(`main ${'a'.repeat(60)}!`);
  const search = () => searchFlame(analysis, { pattern: '(a+)+$', isRegex: true }, testRegex);
  assert.ok((await timeOf(search)) < 1000);
});
