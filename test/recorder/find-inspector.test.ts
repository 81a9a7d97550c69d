import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { after, test } from 'node:test';
import { findInspector, placeIn } from '../../recorder/launch/attach/find-inspector.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { portOf } from '../helpers/free-port.ts';

test('an inspector is connected to at the address that was given, whatever it says of itself', async () => {
  const address = await serving((_, response) =>
    response.end('[{ "id": "a", "webSocketDebuggerUrl": "ws://192.0.2.1:9777/a" }]'),
  );
  assert.deepEqual(await findInspector(address), { type: 'found', url: `ws://${address}/a`, openedIn: null });
});

test('no other host is asked: what leads elsewhere is not an inspector', async () => {
  const asked: (string | undefined)[] = [];
  const other = await serving(({ url }, response) => {
    asked.push(url);
    response.end('[{ "webSocketDebuggerUrl": "ws://127.0.0.1/a" }]');
  });
  const address = await serving((_, response) => response.writeHead(302, { location: `http://${other}/stolen` }).end());
  assert.equal((await findInspector(address)).type, 'none');
  assert.deepEqual(asked, []);
});

test('what is not a list of inspectors is none', async () => {
  const entry = '{ "webSocketDebuggerUrl": "ws://127.0.0.1/a" }';
  for (const text of [`<p>${entry}`, '[]', '[{}]', entry, 'ws://127.0.0.1/a', `[${' '.repeat(2e6)}${entry}]`]) {
    const address = await serving((_, response) => response.end(text));
    assert.equal((await findInspector(address)).type, 'none', text.slice(0, 80));
  }
});

test('nor is an address to which no connection can be opened', async () => {
  for (const address of ['ws://', 'ws://x:99999', 'ws://localhost:1/#a', 'localhost'])
    assert.match(JSON.stringify(await findInspector(address)), /is not an inspector: give its port/, address);
  assert.equal((await findInspector('ws://localhost:1/a')).type, 'found');
});

test('where an inspector is opened stands in the options, and is this machine where none does', () => {
  const place = (options: string): string => Object.values(placeIn(`node ${options} app.js`)).join(' ');
  const ports = ['9555', '127.0.0.2:9555', '[::1]:1'].map((port) => `--inspect-port=${port}`);
  const places = ['127.0.0.1 9229', '127.0.0.1 9555', '127.0.0.2 9555', '::1 1', '127.0.0.1 2'];
  assertEach(['', ...ports, '--inspect=0.0.0.0:2'], place, places);
});

/** Host and port of a server that is there until the end of the tests. */
async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  after(() => server.close());
  return `127.0.0.1:${await portOf(server)}`;
}
