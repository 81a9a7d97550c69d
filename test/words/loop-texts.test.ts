import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopSummaries, leftOutText, leftOutThreads } from '../../words/loop-texts.ts';
import type { Isolate, SampleStream } from '../../engine/read/samples/sample-stream.ts';
import { hotspotsOf, ms } from '../helpers/drawn-hotspots.ts';
import { drawnStart } from '../helpers/drawn-profile.ts';
import type { TurnLine } from '../../protocol/recording-lines.ts';

const busy: readonly TurnLine[] = [
  ['turn', drawnStart, drawnStart + 4000, -1],
  ['histogram', drawnStart, drawnStart + 1_000_000, [0, 0, 1, 0, 0, 0, 0, 0], [0, 0, 4000, 0, 0, 0, 0, 0]],
];

/** A thread that held its loop for 4 ms. */
async function thread(isolate: Partial<Isolate>): Promise<Awaited<ReturnType<typeof hotspotsOf>>['analysis']> {
  const { analysis } = await hotspotsOf('work work work work', { turns: [], turnLines: busy });
  return {
    ...analysis,
    streams: analysis.streams.map((stream) => ({ ...stream, isolate: { ...stream.isolate, ...isolate } })),
  };
}

test('threads for whose loops nothing waits are named in one sentence, where they held them', async () => {
  const worker = await thread({ threadKind: 'background', threadId: 3, pid: 7 });
  assert.equal(
    leftOutText(worker),
    'Left out, as nothing waits for their event loops: 1 worker thread; up to 4 ms in one go.',
  );
  assert.deepEqual(
    leftOutThreads(worker).map(({ label, longest }) => [label, longest]),
    [['worker 3 of app.js', { us: ms(4), text: '4 ms' }]],
  );
  const logged = await thread({ threadKind: 'background', threadId: null, pid: 8 });
  assert.deepEqual(
    leftOutThreads(logged).map(({ label }) => [label, leftOutText(logged)]),
    [['worker of app.js', leftOutText(worker)]],
  );
  const operations = worker.operations.map((one) => ({ ...one, doubt: 'slept' as const }));
  assert.match(leftOutText({ ...worker, operations }) ?? '', /up to ≈4 ms in one go/);
  const command = '/app/node_modules/.bin/esbuild';
  const child = await thread({ threadKind: 'background', threadId: 0, pid: 8, command });
  assert.match(leftOutText(child) ?? '', /: 1 child process \(esbuild\); up to 4 ms/);
  const runner = await thread({ isTestParent: true });
  assert.match(leftOutText(runner) ?? '', /: the test runner's own process; up to 4 ms/);
  assert.equal(leftOutText(await thread({})), null);
  assert.equal(leftOutText({ ...worker, thresholdUs: ms(5) }), null);
});

test('each program has an event loop of its own, the server first', async () => {
  const stream = async (isolate: Partial<Isolate>, more: Partial<SampleStream> = {}): Promise<SampleStream> => {
    const [only] = (await thread(isolate)).streams;
    if (only === undefined) throw new Error('There is no stream.');
    return { ...only, ...more };
  };
  const build = await stream({ command: '/app/node_modules/next/dist/bin/next', pid: 1 });
  const other = await stream({ command: '/app/node_modules/next/dist/bin/next', pid: 2 });
  const server = await stream(
    { command: '/app/src/server.js', pid: 3 },
    { requests: { routes: new Map(), requests: [] } },
  );
  const worker = await stream({ command: '/app/src/server.js', pid: 3, threadId: 1, threadKind: 'pool' });
  assert.deepEqual(
    loopSummaries([build, other, server, worker]).map((text) => text.slice(0, text.indexOf(' busy'))),
    ['Event loop of server.js', 'Event loop of next (2 processes)', 'Event loop of server.js (worker threads)'],
  );
  assert.match(loopSummaries([server])[0] ?? '', /^Event loop busy /);
});
