import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import test, { type TestContext } from 'node:test';
import { type LoadProgress, sendLoad } from '../../recorder/launch/load/load.ts';
import { LoadBeside } from '../../recorder/launch/load/record-under-load.ts';
import { portOf } from '../helpers/free-port.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import type { LoadFigures } from '../../protocol/recording.ts';
import type { PlannedRequest, RequestPlan } from '../../recorder/launch/load/request-plan.ts';

const isOver = new AbortController().signal;
const shape = { connections: 2, rate: null, amount: 6, durationS: null, warmUpS: 0 };

/** A server that notes what it is asked: method, url, body. `/missing` is answered with 404, `/never` not, all else with a redirect. */
async function listening(t: TestContext) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`);
      if (request.url !== '/never') response.writeHead(request.url === '/missing' ? 404 : 303).end('ok');
    });
  }).listen(0, '127.0.0.1');
  const port = await portUntilEnd(server, t);
  return { origin: `http://127.0.0.1:${port}`, seen };
}

async function portUntilEnd(server: Server, t: TestContext): Promise<number> {
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return portOf(server);
}

function get(url: string, more: Partial<PlannedRequest> = {}): PlannedRequest {
  return { name: null, method: 'GET', url, headers: {}, body: null, ...more };
}

/** `answers,errors,refused` of each request. */
function countsOf({ byRequest }: LoadFigures): string {
  return byRequest.map((one) => [one.requests, one.errors, one.refused].join()).join(' ');
}

async function sent(plan: RequestPlan, onProgress?: (progress: LoadProgress) => void) {
  const outcome = await sendLoad(plan, { isOver, ...(onProgress === undefined ? {} : { onProgress }) });
  return outcome.type === 'done' ? outcome.figures : assert.fail(outcome.message);
}

test('each request of a plan is sent as often as the others, and has figures of its own', async (t) => {
  const { origin, seen } = await listening(t);
  const post = get(`${origin}/orders?a=1`, { method: 'POST', body: '{"n":1}' });
  const figures = await sent({ requests: [get(origin), get(`${origin}/missing`), post], ...shape });
  assert.deepEqual(seen.toSorted(), [
    ...['GET / ', 'GET / ', 'GET /missing ', 'GET /missing '],
    ...['POST /orders?a=1 {"n":1}', 'POST /orders?a=1 {"n":1}'],
  ]);
  assert.equal(countsOf(figures), '2,0,0 2,0,2 2,0,0');
  assert.deepEqual([figures.requests, figures.refused], [6, 2]);
});

test('each request that is sent is an answer or a failure, also where the server closes connections', async (t) => {
  const server = createServer((request, response) => {
    if (request.url === '/destroy') request.socket.destroy();
    else if (request.url === '/reset') request.socket.resetAndDestroy();
    else if (request.url === '/cut')
      response.writeHead(200, { 'content-length': 9 }).write('cut', () => request.socket.end());
    else if (request.url === '/close') response.writeHead(200, { connection: 'close' }).end('ok');
    else if (request.url === '/hints')
      response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.end('ok'));
    else response.socket?.end('HTTP/1.0 200 OK\r\n\r\nok');
  }).listen(0, '127.0.0.1');
  const origin = `http://127.0.0.1:${await portUntilEnd(server, t)}`;
  const paths = ['/close', '/until-end', '/hints', '/destroy', '/reset', '/cut'];
  const figures = await sent({ requests: paths.map((path) => get(origin + path)), ...shape, amount: 240 });
  assert.equal(countsOf(figures), '40,0,0 40,0,0 40,0,0 0,40,0 0,40,0 0,40,0');
  // A connection waits for one answer at a time.
  assert.ok((figures.latencyUs.mean * 120) / shape.connections <= figures.durationUs + 1000);
});

test('placeholders get a new value at each sending', async (t) => {
  const { origin, seen } = await listening(t);
  const url = `${origin}/{{$guid}}?n={{$randomInt 5 6}}`;
  const body = '{"at":{{$timestamp}},"id":"{{$uuid}}"}';
  await sent({ requests: [get(url, { method: 'PUT', body })], ...shape });
  assert.equal(new Set(seen.map((line) => line.slice(0, 40))).size, 6);
  for (const line of seen) assert.match(line, /^PUT \/[\da-f-]{36}\?n=5 \{"at":\d{10},"id":"[\da-f-]{36}"\}$/);
});

test('a warm-up is in no figure; progress tells the two apart', async (t) => {
  const { origin, seen } = await listening(t);
  const progress: LoadProgress[] = [];
  const figures = await sent(
    { requests: [get(origin)], ...{ connections: 1, rate: 20, amount: null, durationS: 1, warmUpS: 1 } },
    (one) => progress.push(one),
  );
  assert.ok(figures.requests < seen.length, `${figures.requests} of ${seen.length}`);
  assert.deepEqual(new Set(progress.map(({ isWarmUp }) => isWarmUp)), new Set([true, false]));
  assert.ok(progress.every(({ done, requests }) => done > 0 && done <= 1 && requests > 0));
});

test('a server with a certificate that it made itself', async (t) => {
  const server = createSecureServer({ key, cert: certificate }, (_, response) => void response.end()).listen(
    0,
    '127.0.0.1',
  );
  const port = await portUntilEnd(server, t);
  const { requests, refused, errors } = await sent({ requests: [get(`https://localhost:${port}/`)], ...shape });
  assert.deepEqual([requests, refused, errors], [6, 0, 0]);
});

/** Made for this test by `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost`. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgf6eVMBfkiE91eEzf
oYH8Qdj/pwCegvDUw3w/V62wFemhRANCAASdX2Sodc5oGRBxNwURcLcQqnOs3U+g
kh691u1LHnmmBsq2TQNHJyJHmpAe1A8xm16DD1x088ESPqGtEO1igpjv
-----END PRIVATE KEY-----`;
const certificate = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUFNyBA28YgDWXZX/bTLfxZNHAgxgwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzA4MjY1N1oYDzIxMjYxMTAz
MDgyNjU3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASdX2Sodc5oGRBxNwURcLcQqnOs3U+gkh691u1LHnmmBsq2TQNHJyJH
mpAe1A8xm16DD1x088ESPqGtEO1igpjvo1MwUTAdBgNVHQ4EFgQUEspedHRMhhZE
gAE88DtnbOPCrbYwHwYDVR0jBBgwFoAUEspedHRMhhZEgAE88DtnbOPCrbYwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAuFWp1gYgNtFumg5bpMj+4
dKD/F8AodoYXIA8tX0aJxwIhAIO4OM2KODZv+IilCeMPsSOQ/7gmHgThED8wnNPC
LjvS
-----END CERTIFICATE-----`;

test('a load that cannot be sent says why', async (t) => {
  const { origin } = await listening(t);
  const requests = [get(origin), get('http://localhost:9/')];
  assert.match(
    await failure({ requests, ...shape }),
    /go to http:.* and http:.*: one server can be measured at a time/,
  );
  const none = await failure({ ...shape, requests: [get('http://127.0.0.1:9/')] });
  const never = await failure({ ...shape, requests: [get(`${origin}/never`)], amount: null, durationS: 1 });
  assert.match(`${none} ${never}`, /to .* was answered: \d+ failed, as nothing .* answered before the end of the load/);
});

async function failure(plan: RequestPlan): Promise<string> {
  const outcome = await sendLoad(plan, { isOver });
  return outcome.type === 'failed' ? outcome.message : assert.fail('sent');
}

/** What is said when a load for `wanted` goes to a program that listens at these ports. */
async function saidOf(wanted: string, ...ports: readonly number[]): Promise<readonly (string | null)[]> {
  const isolate = 'a';
  const start = { type: 'start', isolate, pid: process.pid, threadId: 0, ppid: 1, argv: [], execArgv: [] };
  const listens = { type: 'listens', isolate, at: 1e15, protocol: 'http', host: '', path: '' };
  const events = [
    { ...start, nodeVersion: 'v24.0.0', at: 1e15 },
    ...ports.map((port) => ({ ...listens, server: port, port })),
  ];
  const folder = temporaryProject({ 'events.jsonl': events.map((event) => `${JSON.stringify(event)}\n`).join('') });
  const said: string[] = [];
  const beside = new LoadBeside(
    {
      ...{ ready: new URL(wanted), source: { type: 'words', words: '/' }, patience: 10_000 },
      ...{ load: { requests: [get('/')], ...shape }, send: async () => ({ type: 'failed', message: 'It was sent.' }) },
      say: (sentence) => said.push(sentence),
    },
    { isAgain: true },
  );
  await beside.during(folder, isOver);
  return [...said, beside.message];
}

test('a load goes to no one of several ports without the wanted one, and says so where it goes elsewhere', async (t) => {
  const port = Number(new URL((await listening(t)).origin).port);
  const wanted = 'http://localhost:4000';
  const said = [saidOf('http://localhost', 9090, 3000), saidOf(wanted, 9090, 3000), saidOf(wanted, port)];
  const refusal = 'so it got no requests: say which, --after-ready 3000.';
  assert.deepEqual(await Promise.all(said), [
    [`The command listens at the ports 3000 and 9090, ${refusal}`],
    [`The command listens at the ports 3000 and 9090, not at 4000, ${refusal}`],
    [`The command listens at port ${port}, not at 4000: the load goes there.`, 'It was sent.'],
  ]);
});
