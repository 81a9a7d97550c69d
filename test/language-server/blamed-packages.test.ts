import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationsOf, noKeptMarks } from '../../language-server/queries/file-annotations.ts';
import { hotspotsOf } from '../../language-server/queries/hotspots.ts';
import { verdictOf } from '../../language-server/queries/verdict.ts';
import { remediesFor } from '../../words/remedies.ts';
import { hotspotsIn, ms } from '../helpers/drawn-hotspots.ts';
import { drawProfile } from '../helpers/drawn-profile.ts';
import { asked } from '../helpers/remedy-examples.ts';
import { importHover } from '../../language-server/features/hover.ts';

const source = "\nimport { hash } from 'bcryptjs';\n";
const recorded = await hotspotsIn({
  '/rec/7-0-x.0.cpuprofile': JSON.stringify(drawProfile('bcryptjs#hash bcryptjs#hash bcryptjs#hash (idle) lib.ts#sum')),
  '/app/src/lib.ts': source,
});

test('a package in the tree, and its finding, lead to the line that imports it', () => {
  const groups = hotspotsOf(recorded.analysis, ['/app'], { groupBy: 'package', sortBy: 'worst' }, 'worst');
  assert.equal(groups[0]?.figure, '≈3 ms', 'of its worst row');
  const { findings, closed } = verdictOf(recorded.analysis, ['/app']);
  for (const item of [groups[0].items[0], ...findings, ...closed]) {
    assert.equal(item?.label, 'bcryptjs');
    assert.match(item?.tooltip ?? '', /imported at src\/lib\.ts:2$/m);
    assert.deepEqual([item?.location?.uri, item?.location?.line], ['file:///app/src/lib.ts', 1]);
  }
  assert.equal(findings.length + closed.length, 1);
});

const code = { path: '/app/src/lib.ts', text: source, index: null };
const { imports } = annotationsOf(recorded.analysis, noKeptMarks, code);

test('a hover on that line says whose the figures are, and what to do', () => {
  const [imported] = imports;
  assert.ok(imported);
  const text = importHover(imported, ms(2), remediesFor(asked(source, imported.line)), true);
  assert.match(text, /^\*\*bcryptjs\*\* · ≈3 ms worst · 1 × >2 ms\n/);
  assert.match(text, /no line of yours was on the stack/);
  assert.match(text, /The package `bcrypt` computes in the thread pool/);
});

test('the line that imports it is annotated, and is an estimate where its operation is, as in the tree', () => {
  const unmeasured = annotationsOf({ ...recorded.analysis, streams: [] }, noKeptMarks, code);
  const blamed = { name: 'bcryptjs', longCount: 1, estimated: true };
  assert.deepEqual(unmeasured.imports, [{ line: 1, worstUs: ms(3), package: blamed, isOneOf: false }]);
});
