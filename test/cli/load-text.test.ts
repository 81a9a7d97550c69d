import assert from 'node:assert/strict';
import test from 'node:test';
import { loadSentences } from '../../words/formats/load-texts.ts';
import type { LoadFigures, RecordedLoad } from '../../protocol/recording.ts';
import { milliseconds } from '../../protocol/units.ts';

function figures(requestsPerSecond: number, p99: number, refused = 0): LoadFigures {
  const ms = milliseconds(2);
  return {
    ...{ requests: 4000, errors: 0, timeouts: 0, refused, requestsPerSecond, bytesPerSecond: 1, byRequest: [] },
    durationUs: milliseconds(3000),
    latencyUs: { mean: ms, p50: ms, p90: ms, p99: milliseconds(p99), max: ms },
  };
}

const run: Omit<RecordedLoad, 'baseline' | 'recorded'> = {
  source: { type: 'words', words: null },
  requests: [{ title: 'GET /', url: 'http://localhost:3000/', method: 'GET', headers: [], bodyBytes: 0 }],
  ...{ connections: 10, rate: 4, amount: 4000, durationS: null, warmUpS: 0 },
};

test('the end of a run under load says what recording cost', () => {
  assert.deepEqual(loadSentences({ ...run, baseline: figures(1240.3, 18), recorded: figures(1131, 21) }), [
    'Load without → with the recorder: 1 240 → 1 131 req/s, p50 2 ms → 2 ms, p99 18 ms → 21 ms (4 000 × GET http://localhost:3000/ over 4 connections).',
  ]);
});

test('two runs to which the machine gave unlike CPU time, or the first too little, are not compared', () => {
  const reasonOf = (before: LoadFigures, recorded: LoadFigures) => {
    const [sentence, reason] = loadSentences({ ...run, baseline: before, recorded });
    assert.match(sentence ?? '', /^Load with the recorder: [\d ]+ req\/s, p50 2 ms, p99 18 ms \(/);
    return reason;
  };
  const without = 'Without it: 1 000 req/s, p50 2 ms, p99 18 ms. The two cannot be compared: ';
  const ofShares = `${without}during the load the program had a CPU for 90 % of the time that it needed one without the recorder, for 30 % with it.`;
  const share = (cpuShare: number, of: LoadFigures): LoadFigures => ({ ...of, cpuShare });
  assert.equal(reasonOf(share(0.9, figures(1000, 18)), share(0.3, figures(400, 18))), ofShares);
  const isFaster = `${without}it was faster with the recorder, so the two differed in something else.`;
  assert.equal(reasonOf(share(0.9, figures(1000, 18)), share(0.8, figures(1300, 18))), isFaster);
});

test('of several requests the slowest come first', () => {
  const [first = assert.fail()] = run.requests;
  const several = { ...run, requests: [first, { ...first, title: 'GET /slow' }] };
  const timed = (...p99s: readonly number[]): LoadFigures => ({
    ...figures(100, 20),
    byRequest: p99s.map((p99) => ({
      ...{ requests: p99 === 0 ? 0 : 50, errors: 0, refused: 0 },
      latencyUs: { p50: milliseconds(1), p99: milliseconds(p99) },
    })),
  });
  const [whole = '', ...others] = loadSentences({ ...several, baseline: timed(4, 30), recorded: timed(5, 31) });
  assert.ok(whole.endsWith(' (4 000 requests, of 2 kinds in turn, over 4 connections).'), whole);
  assert.deepEqual(others, [
    'GET /slow: p50 1 ms → 1 ms, p99 30 ms → 31 ms (50 answers).',
    'GET /: p50 1 ms → 1 ms, p99 4 ms → 5 ms (50 answers).',
  ]);
  assert.deepEqual(loadSentences({ ...several, baseline: timed(0, 0), recorded: timed(5, 0) }).slice(1), [
    'GET /slow: no answer before the end of the load.',
    'GET /: no answer → p50 1 ms, p99 5 ms (50 answers).',
  ]);
});

test('refused requests are said: their figures mean little', () => {
  const [, refused] = loadSentences({ ...run, baseline: figures(90, 1), recorded: figures(80, 1, 12) });
  assert.match(refused ?? '', /^12 of 4000 answers had a status of 400 and more with it/);
});
