import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationsOf, noKeptMarks } from '../../language-server/queries/file-annotations.ts';
import { hotspotsOf as hotspotItems } from '../../language-server/queries/hotspots.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { mapOf } from '../helpers/code-map.ts';
import { placeAnnotations } from '../../language-server/features/placed-file.ts';
import { hotspotsOf } from '../helpers/drawn-hotspots.ts';
import { lineMarks } from '../../language-server/features/marks.ts';

const text = 'spin();\n'.repeat(1000);

test('by total time what is not code of the program itself is dim, in the tree and at its line', async () => {
  // Each takes over 2 ms altogether, but not in one go.
  const { analysis } = await hotspotsOf(`
    app (idle) app (idle) app (idle) test#case (idle) test#case (idle) test#case
  `);
  const built = await hotspotsOf(
    `file:///app/dist/a.js#b (idle) file:///app/dist/a.js#b (idle) file:///app/dist/a.js#b`,
  );
  const groups = [analysis, built.analysis].flatMap((one) =>
    hotspotItems(one, ['/app'], { groupBy: 'function', sortBy: 'worst' }, 'total'),
  );
  const tones = groups.flatMap(({ items }) => items.map(({ label, tone }) => `${label} ${tone}`));
  assert.deepEqual(tones, ['app plain', 'case dim', 'b dim']);
  assertEach(groups, ({ figure }) => figure, ['≈3 ms', '≈3 ms'], 'the head of a group has a total, too');
  for (const [one, path, expected] of [
    [analysis, '/app/src/app.ts', 'plain'],
    [analysis, '/app/test/app.test.ts', 'dim'],
    [built.analysis, '/app/dist/a.js', 'dim'],
  ] as const) {
    const file = placeAnnotations(annotationsOf(one, noKeptMarks, { path, text, index: null }), mapOf(text));
    assertEach(lineMarks(file, 'total').marks, ({ tone }) => tone, [expected], path);
  }
});
