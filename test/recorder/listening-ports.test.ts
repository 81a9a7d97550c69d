import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { after, test } from 'node:test';
import { listeningPorts, portsInLsof, portsInTables } from '../../recorder/launch/listening-ports.ts';

const tables = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2405 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0000000000000000
   1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 222 1 0000000000000000
   2: 0100007F:2405 0100007F:C1D2 01 00000000:00000000 00:00000000 00000000  1000        0 333 1 0000000000000000`;

test('a process listens on the ports of its own sockets that listen', () => {
  assert.deepEqual(portsInTables(tables, new Set(['111', '333'])), [0x2405]);
  assert.deepEqual(portsInTables('', new Set(['111'])), []);
});

test('macOS names them by host and port, once for each address', () => {
  assert.deepEqual(portsInLsof('p12\nf21\nn127.0.0.1:9229\nn[::1]:8080\nn*:8080\n'), [8080, 9229]);
});

test('our own server is among our own ports', { skip: process.platform === 'win32' }, async () => {
  const server: Server = createServer().listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  assert.ok((await listeningPorts(process.pid)).includes(address.port));
});
