// The figures of the examples are tested on their recordings, in test/cli/commands/analyze.test.ts.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { reportOf } from '../helpers/report-schema.ts';
import { runCli } from '../helpers/run-cli.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

test('the tests of the shop run as without Hotspan, which says on stderr what blocks in them', async () => {
  const [cwd, out] = [projectFile('examples/shop'), path.join(temporaryProject({}), 'recording')];
  const run = await runCli(['record', '--out', out, '--', 'npm', 'test'], { cwd });
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stdout, /40 passing/);
  assert.doesNotMatch(run.stdout, /worst/);
  assert.match(run.stderr, / ms worst · .* {2}src\/.*\n +\d+ │ /);
  const { functions } = await reportOf(out, cwd);
  const blocking = functions.flatMap(({ name, culprit }) => (culprit === null ? [] : [name]));
  assert.ok(blocking.includes('snapshot'), run.stderr);
});
