import assert from 'node:assert/strict';
import test from 'node:test';
import { hasCoverage, isEvaluated } from '../../recorder/launch/run/command-line.ts';

test('a program given by -e is told from a file that has such an argument', () => {
  for (const given of ['-e', '-p', '-pe', '--eval', '--print=1'])
    assert.ok(isEvaluated(['node', '--no-warnings', given, '1']), given);
  assert.equal(isEvaluated(['/usr/bin/node', 'a.js', '-e']), false);
  assert.equal(isEvaluated(['mocha', '-e']), false);
  assert.equal(isEvaluated(['node']), false);
});

test('coverage is known by the tool, its option or its variable', () => {
  assert.ok(hasCoverage(['npx', 'c8', 'mocha'], {}));
  assert.ok(hasCoverage(['jest', '--coverage'], {}));
  assert.ok(hasCoverage(['node', 'a.js'], { NODE_V8_COVERAGE: 'x' }));
  assert.equal(hasCoverage(['jest', '--coverage=false'], {}), false);
});
