import assert from 'node:assert/strict';
import test from 'node:test';
import { hasCoverage, isEvaluated } from '../../recorder/launch/run/command-line.ts';

test('a program that is a text is told from a file that has such an argument', () => {
  const given = (command: string, isTerminal: boolean): boolean => isEvaluated(command.split(' '), isTerminal);
  for (const option of ['-e', '-p', '-pe', '--eval', '--print=1'])
    assert.ok(given(`node --no-warnings ${option} 1`, true), option);
  for (const before of ['-r ./a.js', '--import ./a.mjs', '-C dev --input-type module', '--env-file .env'])
    assert.ok(given(`node ${before} -e 1`, true) && !given(`node ${before} a.js -e`, false), before);
  for (const before of ['env -u CI A=1', 'cross-env A=1', 'timeout -s KILL 5s', 'nice -n 5'])
    assert.ok(given(`${before} /usr/bin/node -e 1`, true) && !given(`${before} mocha node -e`, false), before);
  for (const command of ['node', 'node -', 'node - a', 'node --no-warnings', 'env A=1 node --title a', 'node --'])
    assert.deepEqual([given(command, false), given(command, true)], [true, false], command);
  for (const command of ['/usr/bin/node a.js -e', 'node -- -e', 'mocha -e', 'mocha', 'node --test', 'node --run a'])
    assert.equal(given(command, false), false, command);
});

test('coverage is known by the tool, its option or its variable', () => {
  assert.ok(hasCoverage(['npx', 'c8', 'mocha'], {}));
  assert.ok(hasCoverage(['jest', '--coverage'], {}));
  assert.ok(hasCoverage(['node', 'a.js'], { NODE_V8_COVERAGE: 'x' }));
  assert.equal(hasCoverage(['jest', '--coverage=false'], {}), false);
});
