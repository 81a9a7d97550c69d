import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { attach } from '../../../recorder/launch/attach/attach.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { sendSignals, waitUntil } from '../../helpers/wait-until.ts';
import { attachedByCli, attachedInto, running } from './attached.ts';
import { listeningPlaces } from '../../../recorder/launch/attach/find-inspector.ts';

const text = `const { execSync } = require('node:child_process');
process.on('SIGUSR2', () => execSync('until [ -e go ]; do sleep 0.1; done'));
process.on('SIGWINCH', () => process.exit());
setInterval(() => {}, 1000);
console.log('ready');`;

const onUnix = { skip: process.platform === 'win32' };
const onLinux = { skip: process.platform !== 'linux' };

for (const { node, version } of testedVersions()) {
  test(`what was opened to attach is closed, so that one can attach again (Node ${version})`, onUnix, async (t) => {
    const { app, folder, ports } = await listening(t, node);
    for (const out of ['one', 'two']) {
      assert.equal((await attached(app.pid, path.join(folder, out))).type, 'recorded');
      assert.deepEqual(await ports(), []);
    }
    assert.equal(app.exitCode, null);
  });

  test(`it is closed where nothing can be recorded (Node ${version})`, onUnix, async (t) => {
    const { app, folder, ports } = await listening(t, node);
    assert.equal((await attached(app.pid, path.join(folder, 'program.js'))).type, 'failed');
    assert.deepEqual(await ports(), []);
  });

  test(`it is found, and closed, where it listens at another address (Node ${version})`, onLinux, async (t) => {
    const { app, folder, ports } = await listening(t, node, ['--inspect-port=127.0.0.2:0']);
    assert.equal((await attached(app.pid, path.join(folder, 'out'))).type, 'recorded');
    assert.deepEqual(await ports(), []);
  });

  test(`it is closed where \`process\` was replaced, or said to listen (Node ${version})`, onUnix, async (t) => {
    for (const [replaced, isClosed] of [
      ['', true],
      [`globalThis.require = (name) => name === 'process' ? own : null;`, false],
    ] as const) {
      const { app, folder, ports } = await listening(
        t,
        node,
        ['--inspect-port=127.0.0.1:0'],
        `const own = process; ${text} ${replaced} globalThis.process = {};`,
      );
      const said: string[] = [];
      assert.equal((await attached(app.pid, path.join(folder, 'out'), said)).type, 'recorded');
      assert.equal((await ports()).length, isClosed ? 0 : 1);
      assert.equal(said.join('\n').includes('listens until the process ends'), !isClosed, said.join('\n'));
    }
  });

  test(`a process whose working folder is gone is recorded (Node ${version})`, onUnix, async (t) => {
    const { app, folder } = await listening(t, node);
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    const out = path.join(folder, 'out');
    const outcome = await attached(app.pid, out);
    assert.equal(outcome.type, 'recorded', JSON.stringify(outcome));
    assert.match(readFileSync(path.join(out, 'recording.json'), 'utf8'), /"cwd": ".+"/);
  });

  test(`what was open before, or another client uses, stays open (Node ${version})`, onUnix, async (t) => {
    for (const [option, isShared] of [['--inspect', false] as const, ['--inspect-port', true] as const]) {
      const { app, folder, ports } = await listening(t, node, [`${option}=127.0.0.1:0`]);
      const before = await ports();
      const said: string[] = [];
      const outcome = await attached(app.pid, path.join(folder, 'out'), said, async (stop) => {
        const [{ port } = { port: 0 }] = await ports();
        if (isShared) await once(connect(port, '127.0.0.1'), 'connect');
        stop();
      });
      assert.equal(outcome.type, 'recorded');
      assert.deepEqual([before.length, (await ports()).length], [isShared ? 0 : 1, 1]);
      assert.equal(
        said.some((one) => one.endsWith('as another client is connected to it.')),
        isShared,
        said.join('\n'),
      );
    }
  });

  test(`a process that closes its inspector is not said to have ended (Node ${version})`, onUnix, async (t) => {
    const close = `${text} process.on('SIGHUP', () => require('node:inspector').close());`;
    const { app, folder } = await listening(t, node, undefined, close);
    const outcome = await attached(app.pid, path.join(folder, 'out'), [], () => app.kill('SIGHUP'));
    assert.match(JSON.stringify(outcome), /Process \d+ ended, or its inspector was closed, before/);
  });

  test(`a process that comes to its end is let go, and nothing is said (Node ${version})`, onUnix, async (t) => {
    const { app, folder } = await listening(t, node);
    const said: string[] = [];
    const outcome = attached(app.pid, path.join(folder, 'out'), said, () => app.kill('SIGWINCH'));
    await once(app, 'exit');
    assert.equal((await outcome).type, 'recorded');
    assert.doesNotMatch(said.join('\n'), /listens/);
  });
}

test('a port that was opened, where no inspector answers, is said to listen on', onLinux, async (t) => {
  const listen = `const { createServer } = require('node:net');
process.on('SIGUSR1', () => createServer().listen(0, '127.0.0.1'));`;
  const { app, folder, ports } = await listening(t, process.execPath, [], `${listen}\n${text}`);
  const outcome = await attached(app.pid, path.join(folder, 'out'));
  const [{ port } = { port: 0 }] = await ports();
  assert.match(
    JSON.stringify(outcome),
    new RegExp(`Process ${app.pid} opened port ${port} at 127.0.0.1, which listens`),
  );
});

test('Ctrl+C closes it, and twice where the process is held up', onUnix, async (t) => {
  for (const times of [1, 2]) {
    const { app, folder, ports } = await listening(t, process.execPath);
    const { cli, said } = await attachedByCli(t, folder, app.pid);
    assert.equal((await ports()).length, 1);
    if (times === 2) app.kill('SIGUSR2');
    await sendSignals(cli.pid ?? 0, times === 2 ? ['SIGINT', 'SIGINT'] : ['SIGINT']);
    await once(cli, 'close');
    if (times === 2) {
      assert.match(said(), /still listens: it closes when the process is no longer held up/);
      writeFileSync(path.join(folder, 'go'), '');
      await waitUntil(async () => (await ports()).length === 0);
    }
    assert.deepEqual(await ports(), [], said());
    assert.equal(app.exitCode, null);
  }
});

/** A program, and where it listens. */
async function listening(t: test.TestContext, node: string, options?: string[], programText = text) {
  const { app, folder } = await running(t, node, programText, options);
  return { app, folder, ports: async () => listeningPlaces(app.pid ?? 0) };
}

async function attached(
  pid: number | undefined,
  out: string,
  said: string[] = [],
  then = (stop: () => void): unknown => stop(),
) {
  const stop = new AbortController();
  return attach({
    address: `pid:${pid}`,
    ...{ ...attachedInto(out), mostBytes: null, isStopped: stop.signal },
    say: (sentence) => {
      said.push(sentence);
      if (sentence.startsWith('Attached')) void then(() => stop.abort());
    },
  });
}
