import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { isRecord, parseJson } from '../../../protocol/json-value.ts';
import { microseconds } from '../../../protocol/units.ts';
import { attach } from '../../../recorder/launch/attach/attach.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { parseReport } from '../../helpers/report-schema.ts';
import { projectFile } from '../../helpers/project.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { filesOf, program, profilesWith } from './recorded.ts';

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
      assert.ok(
        own(directory).some(([start, end]) => start < Number(startTime) && Number(startTime) < end),
        `${name} begins at ${String(startTime)}; own work: ${own(directory).join(' | ')}`,
      );
    }
    const { recording } = await reportOf(directory);
    assertEach(recording.files, ({ ended }) => ended, ['exit']);
    assert.equal(app.exitCode, null);
  });

  test(`a process that ends meanwhile is not held up, and nothing is lost (Node ${version})`, async (t) => {
    const { app, directory, outcome, written } = await attached(t, node, null);
    await written(1);
    const ended = once(app, 'exit');
    app.kill('SIGUSR2');
    assert.equal((await outcome).type, 'recorded');
    assert.deepEqual(await ended, [0, null]);
    assert.doesNotMatch((await reportOf(directory)).warnings.join('\n'), /may be missing/);
  });

  test(`a process that is killed meanwhile takes its last part along, which is said (Node ${version})`, async (t) => {
    const { app, directory, outcome, written } = await attached(t, node, null);
    await written(2);
    app.kill('SIGKILL');
    assert.equal((await outcome).type, 'recorded');
    assert.match(
      (await reportOf(directory)).warnings.join('\n'),
      /^Process \d+ ended: what it did in its last 1 s may be missing/m,
    );
  });

  test(`a worker that ends meanwhile takes its last part along, which is said (Node ${version})`, async (t) => {
    const { app, directory, outcome, stop, written } = await attached(t, node, null);
    await written(1);
    app.kill('SIGWINCH');
    await once(app.stdout, 'data');
    await written(filesOf(directory, '.cpuprofile').length + 1);
    stop.abort();
    assert.equal((await outcome).type, 'recorded');
    assert.match(
      (await reportOf(directory)).warnings.join('\n'),
      /^1 worker thread ended meanwhile: what ran in its last 1 s is missing/m,
    );
  });

  test(`where a part cannot be written the recording ends before it, and says so (Node ${version})`, async (t) => {
    const { app, directory, outcome, written } = await attached(t, node, null);
    await written(1);
    const [name = ''] = filesOf(directory, '.0.cpuprofile');
    for (const part of [1, 2, 3, 4, 5])
      mkdirSync(path.join(directory, name.replace('.0.', `.${part}.`)), { recursive: true });
    assert.equal((await outcome).type, 'recorded');
    const { warnings } = await reportOf(directory);
    assert.match(warnings.join('\n'), /^A part of the profile could not be written to .* \(EEXIST\)/m);
    assert.doesNotMatch(readFileSync(path.join(directory, 'recording.json'), 'utf8'), /"endedAt": null/);
    assert.equal(app.exitCode, null);
  });

  test(`at its limit the recording is stopped and the process goes on (Node ${version})`, async (t) => {
    const { app, directory, outcome } = await attached(t, node, 1000);
    assert.equal((await outcome).type, 'recorded');
    assert.equal(filesOf(directory, '.cpuprofile').length, 1);
    assert.match(
      (await reportOf(directory)).warnings.join('\n'),
      /^The recording reached its limit of 0.001 MB and was stopped, the process goes on/m,
    );
    assert.equal(app.exitCode, null);
  });
}

/** When the recorder itself held the loop, in µs. */
function own(directory: string): readonly (readonly [start: number, end: number])[] {
  const lines = filesOf(directory, '.turns.jsonl').flatMap(
    (name) => readFileSync(path.join(directory, name), 'utf8').match(/^\["own",.*$/gm) ?? [],
  );
  return lines.map((line) => {
    const [, start, end] = line.split(/[,\]]/).map(Number);
    return [start ?? 0, end ?? 0];
  });
}

function readJson(file: string): Readonly<Record<string, unknown>> {
  const json = parseJson(readFileSync(file, 'utf8'));
  return isRecord(json) ? json : {};
}

/** Attaches to a program that works and waits, in parts of 0.3 s. */
async function attached(t: test.TestContext, node: string, mostBytes: number | null) {
  const folder = program(t, { 'program.js': text });
  const app = spawn(node, ['--inspect=127.0.0.1:0', 'program.js'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(() => app.kill('SIGKILL'));
  const said: readonly unknown[] = await once(app.stdout, 'data');
  const stop = new AbortController();
  const directory = path.join(folder, 'out');
  const outcome = attach({
    address: String(said[0]).trim(),
    ...{ cwd: folder, out: directory, intervalUs: microseconds(1000), hotspanVersion: '0.0.0', notes: [] },
    recorderFile: projectFile('dist/attached.cjs'),
    ...{ mostBytes, partMs: 300, say: () => {}, isStopped: stop.signal },
  });
  const written = async (parts: number): Promise<void> => {
    await waitUntil(() => filesOf(directory, '.cpuprofile').length >= parts);
  };
  return { app, directory, outcome, stop, written };
}

async function reportOf(directory: string) {
  return parseReport((await runCli(['analyze', '--json', directory])).stdout);
}
