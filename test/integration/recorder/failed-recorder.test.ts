import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';
import { projectFile } from '../../helpers/project.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { eventsOfType, program } from './recorded.ts';

/** Runs `program.js` of a folder with the recorder, after these options. It has to go on. */
function goesOn(folder: string, node: string, ...before: readonly string[]): string {
  const directory = path.join(folder, 'out');
  const args = [...before, '--require', projectFile('dist/recorder.cjs'), 'program.js'];
  const env = { ...process.env, HOTSPAN_DIR: directory };
  const { status, stdout, stderr } = spawnSync(node, args, { cwd: folder, encoding: 'utf8', env });
  assert.deepEqual([status, stdout, stderr], [0, 'went on\n', '']);
  return directory;
}

/** Records a program that has frozen a module of Node before the recorder came, which wants to change it. */
function recordedFrozen(t: test.TestContext, node: string, what: string): string {
  const files = { 'frozen.js': `Object.freeze(${what});`, 'program.js': `console.log('went on');` };
  return goesOn(program(t, files), node, '--require', './frozen.js');
}

for (const { node, version } of testedVersions()) {
  test(`a recorder that fails lets the program go on, and its recording says so (Node ${version})`, async (t) => {
    const { stdout, stderr } = await runCli(['analyze', recordedFrozen(t, node, `require('vm')`)]);
    assert.match(stdout + stderr, /was not profiled: the recorder failed \(TypeError: /);
  });

  test(`a recorder that fails before it knows its recording says so there (Node ${version})`, async (t) => {
    const files = { 'broken.js': `process.hrtime.bigint = null;`, 'program.js': `console.log('went on');` };
    const folder = program(t, files);
    goesOn(folder, node);
    const directory = goesOn(folder, node, '--require', './broken.js');
    const analyzed = await runCli(['analyze', directory]);
    assert.match(analyzed.stdout + analyzed.stderr, /Process \d+ was not profiled: the recorder failed \(TypeError: /);
  });

  test(`where a part of it fails that is in the events (Node ${version})`, (t) => {
    const [failed] = eventsOfType(recordedFrozen(t, node, `require('child_process').ChildProcess.prototype`), 'failed');
    assert.match(failed?.reason ?? '', /^TypeError: /);
  });
}
