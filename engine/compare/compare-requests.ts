import type { ComparedAnswers, ComparedRequest, RequestVerdict } from '../../protocol/comparison.ts';
import { median } from '../../protocol/figures.ts';
import type { AnswerFigures, RecordedLoad } from '../../protocol/recording.ts';
import { firstDifference, groupBy } from '../basics/lists.ts';
import type { ChangeRule, Order } from './change-rules.ts';
import { changeOfTimes, isFarBeyondRanges, isNoChange, ratioInterval } from './change-rules.ts';

/** Compares how a load was answered in the runs of both sides. Both need the same load. Empty where neither had one. */
export function compareRequests(
  was: readonly RecordedLoad[],
  is: readonly RecordedLoad[],
  order: Order,
): { readonly requests?: readonly ComparedRequest[] } {
  if (was.length + is.length === 0) return {};
  const isSameLoad = new Set([...was, ...is].map(shapeOf)).size === 1;
  const [before, now] = [byTitle(was), byTitle(is)];
  const requests = [...new Set([...before.keys(), ...now.keys()])].map((key): ComparedRequest => {
    const sides = { was: answersIn(before.get(key)), is: answersIn(now.get(key)) };
    const title = (before.get(key) ?? now.get(key))?.[0]?.title ?? '';
    return { title, ...sides, ...judged(sides, isSameLoad, order) };
  });
  return { requests: requests.toSorted(bySize) };
}

/** What the p99 of a request depends on besides the code. Each side may listen at another port. */
function shapeOf({ requests, connections, rate, amount, durationS }: RecordedLoad): string {
  const sent = requests.map(({ method, url, headers, bodyBytes }) => {
    return [method, url.replace(/^https?:\/\/[^/]*/, ''), headers.toSorted(), bodyBytes];
  });
  return JSON.stringify([sent, connections, rate, amount, durationS]);
}

interface Answered extends AnswerFigures {
  readonly title: string;
}

/** Figures of each run by request. Requests with the same title (other queries or bodies) are distinguished by their order. */
function byTitle(loads: readonly RecordedLoad[]): ReadonlyMap<string, readonly Answered[]> {
  const rows = loads.flatMap(({ requests, recorded }) => {
    const seen = new Map<string, number>();
    return requests.flatMap(({ title }, at) => {
      const count = seen.get(title) ?? 0;
      seen.set(title, count + 1);
      const figures = recorded.byRequest[at];
      return figures === undefined ? [] : [{ key: `${count} ${title}`, figures: { ...figures, title } }];
    });
  });
  return new Map(
    [...groupBy(rows, ({ key }) => key)].map(([key, its]) => [key, its.map(({ figures }) => figures)] as const),
  );
}

function answersIn(runs: readonly AnswerFigures[] = []): ComparedAnswers {
  return {
    answers: runs.map(({ requests }) => requests),
    sent: runs.map(({ requests, errors }) => requests + errors),
    refused: runs.map(({ errors, refused }) => errors + refused),
    p50Us: runs.map(({ latencyUs }) => latencyUs.p50),
    p99Us: runs.map(({ latencyUs }) => latencyUs.p99),
  };
}

type Sides = Pick<ComparedRequest, 'was' | 'is'>;

function judged(sides: Sides, isSameLoad: boolean, order: Order): Pick<ComparedRequest, 'verdict' | 'reason'> {
  const both = [sides.was, sides.is];
  if (both.some(({ answers }) => answers.length === 0)) return { verdict: 'notCompared' };
  if (!isSameLoad) return { verdict: 'notCompared', reason: 'otherLoad' };
  if (both.some(isRefused)) return { verdict: 'notCompared', reason: 'refused' };
  if (both.some(({ answers }) => answers.includes(0))) return { verdict: 'notCompared', reason: 'unanswered' };
  return { verdict: verdictOf(sides, order) };
}

/** A refusal takes another time than what was asked for. */
function isRefused({ sent, refused }: ComparedAnswers): boolean {
  return median(refused.map((count, run) => count / Math.max(1, sent[run] ?? 0))) > 0.01;
}

function verdictOf({ was, is }: Sides, order: Order): RequestVerdict {
  const [before, now] = [was.p99Us, is.p99Us];
  const runs = Math.min(before.length, now.length);
  if (runs < MIN_RUNS) return 'tooNoisy';
  const certain = changeOfTimes(certainRule, before, now);
  if (certain !== null) return certain;
  const isEnough = order === 'interleaved' && runs >= MANY_RUNS;
  const clear = isEnough ? changeOfTimes(clearRule, before, now) : null;
  if (clear !== null && isFarBeyondRanges(before, now)) return clear;
  const { low, high } = ratioInterval(before, now, order) ?? { low: null, high: null };
  const times = { wasUs: before, isUs: now, wasBelow: false, isBelow: false, ratio: null, low, high };
  return isNoChange(times) ? 'noChangeSeen' : 'tooNoisy';
}

const MIN_RUNS = 3;
const MANY_RUNS = 5;

/**
 * A p99 rests on few requests, and includes the load of the machine. One unchanged server on two busy cores (load 5 to 6):
 * in 800 overlapping windows of three pairs the largest change that looked certain was 2.9 ×; 1,950 windows of five to
 * eight pairs showed none by the second rule. The factor of 4 was chosen after that, and not measured again.
 */
const certainRule: ChangeRule = { factor: 4, difference: 2000, mayBeDisturbed: false };
const clearRule: ChangeRule = { factor: 1.5, difference: 2000, mayBeDisturbed: false };

function bySize(a: ComparedRequest, b: ComparedRequest): number {
  const isChange = ({ verdict }: ComparedRequest): number => (verdict === 'slower' || verdict === 'faster' ? 1 : 0);
  const p99 = ({ was, is }: ComparedRequest): number => median(was.p99Us.length > 0 ? was.p99Us : is.p99Us);
  return firstDifference(isChange(b) - isChange(a), p99(b) - p99(a));
}
