import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeVersions } from '../../test/helpers/node-versions.ts';
import { copyFixture } from '../../test/helpers/recording-fixtures.ts';
import { runCli } from '../../test/helpers/run-cli.ts';

test('one recording has the same report, byte by byte, on every Node', async () => {
  const { project, recording } = copyFixture('shop/first');
  const { stdout: expected } = await runCli(['analyze', '--json', recording], { cwd: project });
  assert.match(expected, /"snapshot"/);
  for (const { node, version } of nodeVersions()) {
    const { code, stdout, stderr } = await runCli(['analyze', '--json', recording], { cwd: project, node });
    assert.deepEqual([code, stderr, stdout === expected], [0, '', true], version);
  }
});
