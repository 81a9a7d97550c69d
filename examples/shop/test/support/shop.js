import { once } from 'node:events';
import { Writable } from 'node:stream';
import { createApp } from '../../src/app.js';
import { createLogger } from '../../src/logger.js';

/** Opens the shop on a free port; `request` answers with the status and the parsed body. */
export async function openShop(parts) {
  const server = createApp(parts).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${server.address().port}`;

  return {
    get: (path) => answer(fetch(base + path)),
    post: (path, body) => answer(fetch(base + path, { method: 'POST', ...payload(body) })),
    put: (path, body) => answer(fetch(base + path, { method: 'PUT', ...payload(body) })),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A logger that keeps its entries. */
export function keepingLogger() {
  const entries = [];
  const output = new Writable({
    write(line, encoding, done) {
      entries.push(JSON.parse(line.toString()));
      done();
    },
  });
  return { entries, logger: createLogger(output) };
}

async function answer(pending) {
  const response = await pending;
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, body: isJson ? await response.json() : await response.text() };
}

function payload(body) {
  if (typeof body === 'string') return { body, headers: { 'content-type': 'text/plain' } };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
