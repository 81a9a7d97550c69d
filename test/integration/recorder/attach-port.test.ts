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

interface End {
  readonly options?: string[];
  readonly program?: string;
  readonly out?: string;
  readonly isShared?: boolean;
  /** How many inspectors listen then, and the end of the last sentence. */
  readonly left: number;
  readonly last?: string;
}

const replaced = `const own = process; ${text} globalThis.process = {};`;
const ends: Readonly<Record<string, End>> = {
  'it is closed where nothing can be recorded': { out: 'program.js', left: 0 },
  'it is closed where `process` was replaced': { program: replaced, left: 0 },
  'it stays open where `require` was, too': {
    program: `${replaced} globalThis.require = (name) => name === 'process' ? own : null;`,
    ...{ left: 1, last: 'listens until the process ends.' },
  },
  'what another client uses stays open': {
    ...{ isShared: true, left: 1, last: 'listens until the process ends, as another client is connected to it.' },
  },
  'what was open before stays open': { options: ['--inspect=127.0.0.1:0'], left: 1 },
  // Other systems have one loopback address.
  ...(process.platform === 'linux' && {
    'it is found, and closed, at another address': { options: ['--inspect-port=127.0.0.2:0'], left: 0 },
  }),
};

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

  test(`a process whose working folder is gone is recorded (Node ${version})`, onUnix, async (t) => {
    const { app, folder } = await listening(t, node);
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    const out = path.join(folder, 'out');
    const outcome = await attached(app.pid, out);
    assert.equal(outcome.type, 'recorded', JSON.stringify(outcome));
    assert.match(readFileSync(path.join(out, 'recording.json'), 'utf8'), /"cwd": ".+"/);
  });

  for (const [name, { options, program, out = 'out', isShared = false, left, last }] of Object.entries(ends))
    test(`${name} (Node ${version})`, onUnix, async (t) => {
      const { app, folder, ports } = await listening(t, node, options, program);
      const said: string[] = [];
      const outcome = await attached(app.pid, path.join(folder, out), said, async (stop) => {
        const [{ port } = { port: 0 }] = await ports();
        if (isShared) await once(connect(port, '127.0.0.1'), 'connect');
        stop();
      });
      assert.equal(outcome.type, out === 'out' ? 'recorded' : 'failed');
      assert.deepEqual([(await ports()).length, /listens .*/.exec(said.join(' '))?.[0]], [left, last]);
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
