import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { isRecord, parseJson } from '../../../protocol/json-value.ts';
import { attach } from '../../../recorder/launch/attach/attach.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { reportOf } from '../../helpers/report-schema.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { attachedInto, running } from './attached.ts';
import { filesOf, ownLinesOf, profilesWith, turnsOf } from './recorded.ts';

const text = `const { pbkdf2Sync } = require('node:crypto');
function hash() { pbkdf2Sync('secret', 'salt', 100_000, 32, 'sha512'); }
setInterval(() => hash(), 60);
process.on('SIGUSR2', () => process.exit());
process.on('SIGWINCH', () => new (require('node:worker_threads').Worker)('setTimeout(() => {}, 500)', { eval: true })
  .once('exit', () => console.log('worker ended')));
console.log(require('node:inspector').url());`;

for (const { node, version } of testedVersions()) {
  test(`a running process is profiled in parts, which are one thread (Node ${version})`, async (t) => {
    const { app, directory, outcome, stop, written } = await attached(t, node, null);
    await written(2);
    stop.abort();
    assert.equal((await outcome).type, 'recorded');
    assert.ok(filesOf(directory, '.cpuprofile').length >= 2);
    assert.equal(profilesWith(directory, 'hash'), 1);
    for (const name of filesOf(directory, '.cpuprofile').slice(0, 2)) {
      const { startTime } = readJson(path.join(directory, name));
      const own = ownLinesOf(directory);
      assert.ok(
        own.some(([, start, end]) => start < Number(startTime) && Number(startTime) < end),
        `${name} begins at ${String(startTime)}; own work: ${own.join(' | ')}`,
      );
    }
    const { recording } = await reportOf(directory);
    assertEach(recording.files, ({ ended }) => ended, ['exit']);
    assert.equal(app.exitCode, null);
  });

  test(`a callback that had begun before, and does not end, is a turn (Node ${version})`, async (t) => {
    const endless = "setTimeout(() => { console.log(require('node:inspector').url()); for (;;) Math.random(); });";
    const { directory, outcome, stop, written } = await attached(t, node, null, endless);
    await written(2);
    stop.abort();
    await outcome;
    assert.equal(turnsOf(directory, 300).length, 1);
  });

  test(`a process that ends meanwhile is not held up, and nothing is lost (Node ${version})`, async (t) => {
    const { app, directory, outcome, written } = await attached(t, node, null);
    await written(1);
    const ended = once(app, 'exit');
    app.kill('SIGUSR2');
    assert.equal((await outcome).type, 'recorded');
    assert.deepEqual(await ended, [0, null]);
    assert.doesNotMatch(await warningsOf(directory), /may be missing/);
  });

  test(`a process that is killed meanwhile takes its last part along, which is said (Node ${version})`, async (t) => {
    const { app, directory, outcome, written } = await attached(t, node, null);
    await written(2);
    app.kill('SIGKILL');
    assert.equal((await outcome).type, 'recorded');
    assert.match(await warningsOf(directory), /^Process \d+ ended, or its inspector was closed: .* in its last 1 s/m);
  });

  test(`a worker that ends meanwhile takes its last part along, which is said (Node ${version})`, async (t) => {
    const { app, directory, outcome, stop, written } = await attached(t, node, null);
    await written(1);
    app.kill('SIGWINCH');
    await once(app.stdout, 'data');
    await written(filesOf(directory, '.cpuprofile').length + 1);
    stop.abort();
    assert.equal((await outcome).type, 'recorded');
    assert.match(await warningsOf(directory), /^1 worker thread ended meanwhile: what ran in its last 1 s is missing/m);
  });

  test(`where a part cannot be written the recording ends before it, and says so (Node ${version})`, async (t) => {
    const { app, directory, outcome, written } = await attached(t, node, null);
    await written(1);
    const [name = ''] = filesOf(directory, '.0.cpuprofile');
    for (const part of [1, 2, 3, 4, 5])
      mkdirSync(path.join(directory, name.replace('.0.', `.${part}.`)), { recursive: true });
    assert.equal((await outcome).type, 'recorded');
    assert.match(await warningsOf(directory), /^A part of the profile could not be written to .* \(EEXIST\)/m);
    assert.doesNotMatch(readFileSync(path.join(directory, 'recording.json'), 'utf8'), /"endedAt": null/);
    assert.equal(app.exitCode, null);
  });

  test(`at its limit the recording is stopped and the process goes on (Node ${version})`, async (t) => {
    const { app, directory, outcome } = await attached(t, node, 1000);
    assert.equal((await outcome).type, 'recorded');
    assert.equal(filesOf(directory, '.cpuprofile').length, 1);
    assert.match(await warningsOf(directory), /^The recording reached its limit of 0.001 MB and was stopped,/m);
    assert.equal(app.exitCode, null);
  });
}

function readJson(file: string): Readonly<Record<string, unknown>> {
  const json = parseJson(readFileSync(file, 'utf8'));
  return isRecord(json) ? json : {};
}

/** Attaches to a program that works and waits, in parts of 0.3 s. */
async function attached(t: test.TestContext, node: string, mostBytes: number | null, ran = text) {
  const { app, folder, said: address } = await running(t, node, ran, ['--inspect=127.0.0.1:0']);
  const stop = new AbortController();
  const directory = path.join(folder, 'out');
  const options = { mostBytes, partMs: 300, say: () => {}, isStopped: stop.signal };
  const outcome = attach({ address, ...attachedInto(directory), ...options });
  const written = async (parts: number): Promise<void> => {
    await waitUntil(() => filesOf(directory, '.cpuprofile').length >= parts);
  };
  return { app, directory, outcome, stop, written };
}

async function warningsOf(directory: string): Promise<string> {
  return (await reportOf(directory)).warnings.join('\n');
}
