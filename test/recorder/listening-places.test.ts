import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { listeningPlaces, placesInLsof, placesInTables } from '../../recorder/launch/attach/find-inspector.ts';
import { portOf } from '../helpers/free-port.ts';

const tables = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2405 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0000000000000000
   1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 222 1 0000000000000000
   2: 0100007F:2405 0100007F:C1D2 01 00000000:00000000 00:00000000 00000000  1000        0 333 1 0000000000000000`;

test('a process listens where its own sockets that listen do', () => {
  assert.deepEqual(placesInTables(tables, new Set(['111', '333'])), [{ host: '127.0.0.1', port: 0x2405 }]);
  assert.deepEqual(placesInTables('', new Set(['111'])), []);
});

test('what listens on all addresses is found at the one of this machine', () => {
  const rest = '00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0000000000000000';
  const host = (hex: string): string | undefined => placesInTables(`0: ${hex}:0001 ${rest}`, new Set(['1']))[0]?.host;
  const all = ['0200007F', '00000000', '0'.repeat(32), '00000000000000000000000001000000'].map(host);
  assert.deepEqual(all, ['127.0.0.2', '127.0.0.1', '::1', '::1']);
  assert.equal(host('B80D0120000000000000000001000000'), '2001:db8::1');
});

test('macOS names them by host and port, once for each address', () => {
  const places = placesInLsof('p12\nf21\nn127.0.0.1:9229\nn[::1]:8080\nn*:8080\nn127.0.0.1:8080\n');
  assert.equal(places.map(({ host, port }) => `${host} ${port}`).join(), '::1 8080,127.0.0.1 8080,127.0.0.1 9229');
});

test('our own server is among our own ports', { skip: process.platform === 'win32' }, async () => {
  const server = createServer().listen(0, '127.0.0.1');
  after(() => server.close());
  const own = await portOf(server);
  assert.ok((await listeningPlaces(process.pid)).some(({ host, port }) => host === '127.0.0.1' && port === own));
});
