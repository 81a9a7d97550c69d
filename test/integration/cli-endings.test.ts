import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';
import { type CliRun, runCli } from '../helpers/run-cli.ts';
import { projectFile } from '../helpers/project.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

/** In an empty folder of its own. */
async function hotspan(...words: readonly string[]): Promise<CliRun> {
  return runCli(words, { cwd: temporaryProject({}) });
}

/** One sentence on stderr, nothing on stdout. */
function assertRefused({ code, stdout, stderr }: CliRun, expectedCode: number, sentence: RegExp): void {
  assert.equal(code, expectedCode);
  assert.equal(stdout, '');
  assert.match(stderr, sentence);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
}

describe('hotspan record', () => {
  test('exits with the code of the command', async () => {
    assert.equal((await hotspan('record', '--quiet', '--', process.execPath, '-e', 'process.exit(3)')).code, 3);
  });

  test('ends by the signal that ended the command', async () => {
    const program = "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 10_000)";
    assert.equal((await hotspan('record', '--', process.execPath, '-e', program)).signal, 'SIGTERM');
  });

  test('hands stdout through as it is, and is quiet when asked', async () => {
    const run = await hotspan('record', '--quiet', '--', process.execPath, '-e', "process.stdout.write('a\\r\\nb')");
    assert.deepEqual([run.stdout, run.stderr], ['a\r\nb', '']);
  });

  test('says what was lost even when it is to be quiet, and nothing else', async () => {
    // By another process: the recorder saves what there is before a process kills itself.
    const killed = "require('node:child_process').execSync('kill -9 ' + process.pid)";
    const program = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(killed)}])`;
    const run = await hotspan('record', '--quiet', '--note', 'a note', '--', process.execPath, '-e', program);
    assert.match(run.stderr, /^hotspan: Process \d+ .*killed.*\n$/);
    assert.equal(run.code, 0);
  });

  test('says of a run without tests what to profile instead', async () => {
    const cwd = temporaryProject({
      'package.json': JSON.stringify({ scripts: { test: 'node --test none.test.js', start: 'node a.js' } }),
      'a.test.js': "require('node:test').test('a', () => {})",
    });
    const { code, stderr } = await runCli(['record', '--', 'npm', 'test'], { cwd });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /No test was reported: the output says what ran\. You can profile a file \(hotspan record -- node FILE\)/,
    );
    const ran = await runCli(['record', '--', process.execPath, '--test', 'a.test.js'], { cwd });
    assert.doesNotMatch(ran.stderr, /No test was reported/);
    const quiet = await runCli(['record', '--quiet', '--', 'npm', 'test'], { cwd });
    assert.doesNotMatch(quiet.stderr, /You can profile/);
  });

  test('a command that cannot be started is 127', async () => {
    assertRefused(await hotspan('record', '--', 'no-such-command'), 127, /Cannot start no-such-command/);
  });

  test('a folder, or a path to nothing, is not a command', async () => {
    assertRefused(await hotspan('record', '--', temporaryProject({})), 127, /it is a folder/);
    assertRefused(await hotspan('record', '--', './no-such-file'), 127, /there is no such file/);
  });

  test('a closed pipe for the messages leaves the exit code of the command', async () => {
    const command = `node "${projectFile('dist/cli.cjs')}" record -- node -e 'process.exit(3)' 2>&1 >/dev/null | true; exit "\${PIPESTATUS[0]}"`;
    const { status } = spawnSync('bash', ['-c', command], { cwd: temporaryProject({}), stdio: 'ignore' });
    assert.equal(status, 3);
  });

  test('a folder that was deleted meanwhile is said', async () => {
    const gone = temporaryProject({});
    const command = `rmdir "${gone}"; node "${projectFile('dist/cli.cjs')}" record -- true`;
    const { status, stderr } = spawnSync('bash', ['-c', command], { cwd: gone, encoding: 'utf8' });
    assert.equal(status, 2);
    assert.equal(stderr, 'hotspan: The current folder is not there any more: change to another one.\n');
  });

  test('a command without Node is said to hold no profile', async () => {
    const run = await hotspan('record', '--', 'true');
    assert.equal(run.code, 0);
    assert.match(run.stderr, /no Node\.js program ran/);
  });

  test('a folder that is a file runs nothing', async () => {
    const file = path.join(temporaryProject({ file: '' }), 'file');
    assertRefused(await hotspan('record', '--out', file, '--', 'echo', 'ran'), 2, /Cannot make the folder/);
  });
});
