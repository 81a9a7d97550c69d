import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultView } from '../../cli/views/result-view.ts';
import { readSources } from '../../cli/views/shown-code.ts';
import { waitRows } from '../../language-server/queries/long-operations.ts';
import { type DrawnOptions, type DrawnRequest, hotspotsOf } from '../helpers/drawn-hotspots.ts';
import { drawnStart } from '../helpers/drawn-profile.ts';

/** 20 ms of idling, 300 ms in `build`, 100 ms of idling. */
const drawing = `
ms 20     50    50    50    50    50    50    100
   (idle) build build build build build build (idle)
`;
const slow: DrawnRequest = { slow: true, start: 20, end: 320 };
/** Six come while `build` holds the loop, and one when it is free. */
const waiting = [321, 321.1, 321.2, 321.3, 321.4, 321.5, 380].map((start) => ({ start, end: start + 0.1 }));

const drawn = async (options: DrawnOptions) => (await hotspotsOf(drawing, { turns: [[20, 320]], ...options })).analysis;

test('a route that waited says as the terminal does how many did, and leads to the line behind which they waited', async () => {
  const analysis = await drawn({ requests: [slow, ...waiting] });
  const [route] = waitRows(analysis);
  assert.deepEqual(
    [route?.figure, route?.label, route?.description],
    ['≈275 ms', 'GET /', 'p99 · 86 % of 7 wait > 10 ms, 57 % > 100 ms'],
  );
  const view = resultView(analysis, { all: false, sources: await readSources([], async () => null, '/app') });
  assert.equal(route?.tooltip.split('\n')[0], view.routes[0]);
  const [behind] = route?.below ?? [];
  assert.deepEqual([behind?.label, behind?.opens, behind?.operation], ['build', 'line', 0]);
  assert.match(behind?.description ?? '', /^app\.ts:\d+ · lost behind it$/);
  assert.ok((behind?.functionId ?? -1) >= 0);
});

test('where a package has more of what held the loop than your function, that is what they waited behind', async () => {
  const mostly = drawing.replaceAll(/build (?=build)/g, 'bcryptjs#hash ');
  const options = { turns: '20-320', requests: [slow, ...waiting] };
  const { analysis, report } = await hotspotsOf(mostly, options);
  const [route] = waitRows(analysis);
  assert.match(route?.tooltip ?? '', /, longest behind bcryptjs\n/);
  assert.deepEqual([route?.below[0]?.functionId, report.routes[0]?.behind], [-1, null]);
});

test('the loop of the program follows, with the way to its longest operation', async () => {
  const end = drawnStart + 420_000;
  const turns = [0, 0, 0, 0, 0, 0, 1, 0];
  const times = [0, 0, 0, 0, 0, 0, 300_000, 0];
  const analysis = await drawn({ turnLines: [['histogram', drawnStart, end, turns, times]] });
  const loop = waitRows(analysis).at(-1);
  assert.deepEqual([loop?.label, loop?.opens, loop?.operation], ['Event loop of app.js', 'operation', 0]);
  assert.deepEqual(
    loop?.below.map(({ label, description }) => `${label} ${description}`),
    ['busy 71 % of 420 ms', 'delay p50 90 ms, p99 296 ms, at most 300 ms', 'GC 0 %'],
  );
});

test('without requests, or where none waited, one sentence says so', async () => {
  const sentence = async (options: DrawnOptions): Promise<string> => waitRows(await drawn(options))[0]?.label ?? '';
  assert.match(await sentence({}), /^No requests were recorded: use Profile App/);
  assert.equal(await sentence({ requests: [slow] }), 'No request waited for more than 10 ms behind others.');
  assert.match(await sentence({ requests: [slow], tests: [] }), /^No waits are known: the requests came from tests/);
});
