import assert from 'node:assert/strict';
import { type EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** A port that nothing on this machine listens at. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0);
  const port = await portOf(probe);
  probe.close();
  await once(probe, 'close');
  return port;
}

/** The port of a server that has been told to listen. */
export async function portOf(server: EventEmitter & Pick<Server, 'address'>): Promise<number> {
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : assert.fail();
}
