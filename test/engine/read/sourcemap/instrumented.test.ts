import assert from 'node:assert/strict';
import test from 'node:test';
import { SourceMapper } from '../../../../engine/read/sourcemap/source-mapper.ts';
import { column0, line0 } from '../../../../protocol/units.ts';

test('what an instrumenter puts behind the end of the very text that it read is a helper, and no sign of another build', async () => {
  const content = 'one();\nfunction f() {}\n';
  const map = { version: 3, sources: ['a.js'], sourcesContent: [content], names: [], mappings: 'AAeA;AAdA' };
  const mapper = new SourceMapper([{ url: '/app/a.js', map: JSON.stringify(map) }], async () => null);
  const at = (line: number, name: string) => ({ line: line0(line), column: column0(9), name });
  const [counter, own] = await mapper.functions('/app/a.js', [at(0, 'cov_1'), at(1, 'f')]);
  assert.deepEqual(counter, { type: 'helper' });
  assert.deepEqual(own, { type: 'original', url: '/app/a.js', line: 1, column: 0, name: 'f' });
  assert.deepEqual(mapper.warnings, []);
});
