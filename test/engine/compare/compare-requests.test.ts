import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareRequests } from '../../../engine/compare/compare-requests.ts';
import type { AnswerFigures, RecordedLoad } from '../../../protocol/recording.ts';
import { milliseconds } from '../../../protocol/units.ts';
import { requestTexts } from '../../../words/formats/change-texts.ts';

/** What a request's p99 was in ms, and how many of its 100 answers were refusals. */
type Drawn = number | readonly [p99: number, refused: number];

/** A run under load: the p99 of each request. */
function run(requests: Readonly<Record<string, Drawn>>, connections = 10): RecordedLoad {
  const all = Object.values(requests).map((drawn): AnswerFigures => {
    const [p99, refused] = typeof drawn === 'number' ? [drawn, 0] : drawn;
    const latencyUs = { p50: milliseconds(1), p99: milliseconds(p99) };
    return { requests: 100, errors: 0, refused, latencyUs };
  });
  const latencyUs = { ...{ mean: milliseconds(1), p50: milliseconds(1), p90: milliseconds(1) }, p99: milliseconds(1) };
  return {
    source: { type: 'words', words: null },
    requests: Object.keys(requests).map((title) => {
      return { title: title.trim(), method: 'GET', url: 'http://localhost/', headers: [], bodyBytes: 0 };
    }),
    ...{ connections, rate: null, amount: 100, durationS: null, warmUpS: 0, baseline: null },
    recorded: {
      ...{ requests: 100, errors: 0, refused: 0, timeouts: 0, requestsPerSecond: 1, bytesPerSecond: 1, byRequest: all },
      ...{ durationUs: milliseconds(1000), latencyUs: { ...latencyUs, max: milliseconds(1) } },
    },
  };
}

function runs(title: string, ...p99s: readonly Drawn[]): readonly RecordedLoad[] {
  return p99s.map((p99) => run({ [title]: p99 }));
}

function textsOf(was: readonly RecordedLoad[], is: readonly RecordedLoad[]): readonly string[] {
  return requestTexts(compareRequests(was, is, 'interleaved'));
}

describe('a request under the same load before and now', () => {
  test('says how its p99 changed where all runs are apart', () => {
    assert.deepEqual(textsOf(runs('GET /', 530, 540, 600), runs('GET /', 36, 38, 44)), ['GET / p99 540 → 38 ms']);
  });

  test('needs five pairs for a change of less than 4 ×', () => {
    const [before, now] = [runs('GET /', 40, 41, 42, 41, 42), runs('GET /', 20, 21, 22, 21, 22)];
    assert.deepEqual(textsOf(before.slice(2), now.slice(2)), ['GET / p99 42 → 22 ms, too noisy to say']);
    assert.deepEqual(textsOf(before, now), ['GET / p99 41 → 21 ms']);
  });

  test('claims no change where the runs overlap, differ by little, or are too few', () => {
    const before = runs('GET /', 40, 41, 42);
    assert.deepEqual(textsOf(before, runs('GET /', 41, 42, 43)), ['GET / p99 41 → 42 ms, no change seen']);
    assert.deepEqual(textsOf(before, runs('GET /', 41, 70, 90)), ['GET / p99 41 → 70 ms, too noisy to say']);
    assert.deepEqual(textsOf(before.slice(1), runs('GET /', 9, 9)), ['GET / p99 42 → 9 ms, too noisy to say']);
  });

  test('is not compared where both sides refused it, or a run had no answer', () => {
    const refused = runs('GET /', [540, 100], [540, 100]);
    assert.deepEqual(textsOf(refused, runs('GET /', [38, 100], [38, 3])), [
      'GET / cannot be compared: 100 of 100 were refused before, 52 of 100 now',
    ]);
    const none = { requests: 0, errors: 0, refused: 0, latencyUs: { p50: milliseconds(0), p99: milliseconds(0) } };
    const answering = (all: readonly RecordedLoad[], figures: AnswerFigures): readonly RecordedLoad[] =>
      all.map((one) => ({ ...one, recorded: { ...one.recorded, byRequest: [figures] } }));
    const before = runs('GET /', 40, 41, 42);
    assert.deepEqual(textsOf(before, [...before.slice(1), ...answering(before.slice(2), none)]), [
      'GET / cannot be compared: a run had no answer',
    ]);
    assert.deepEqual(textsOf(before, answering(before, { ...none, errors: 100 })), [
      'GET / cannot be compared: 0 of 100 were refused before, 100 of 100 now',
    ]);
    assert.deepEqual(textsOf(before, [run({ 'GET /': [9, 1] }, 100)]), [
      'GET / cannot be compared: it was sent in another way before',
    ]);
  });

  test('is not compared where one side refused it, did not get it, or got another load', () => {
    const before = runs('GET /', 40, 41, 42);
    assert.deepEqual(textsOf(before, runs('GET /', [1, 100], [1, 100], [1, 100])), [
      'GET / cannot be compared: 0 of 100 were refused before, 100 of 100 now',
    ]);
    assert.deepEqual(textsOf(before, runs('GET /new', 4, 4, 4)), [
      'GET / was sent only before',
      'GET /new was sent only now',
    ]);
    assert.deepEqual(textsOf(before, [run({ 'GET /': 9 }, 100)]), [
      'GET / cannot be compared: it was sent in another way before',
    ]);
    const other = before.map((one) => ({ ...one, requests: one.requests.map((sent) => ({ ...sent, bodyBytes: 73 })) }));
    assert.deepEqual(textsOf(before, other), ['GET / cannot be compared: it was sent in another way before']);
    const alone = [9, 9, 9].map((p99) => run({ 'GET /': p99, 'GET /slow': 900 }));
    assert.deepEqual(textsOf(before, alone), [
      'GET /slow was sent only now',
      'GET / cannot be compared: it was sent in another way before',
    ]);
  });

  test('comes first if it changed, and is distinguished from another with its title', () => {
    const side = (first: number, second: number) =>
      [0, 1, 2].map((more) => run({ '/': first + more, '/ ': second + more }));
    assert.deepEqual(textsOf(side(80, 30), side(81, 5)), ['/ p99 31 → 6 ms', '/ p99 81 → 82 ms, no change seen']);
  });

  test('is not mentioned without a load', () => {
    assert.deepEqual(compareRequests([], [], 'interleaved'), {});
  });
});
