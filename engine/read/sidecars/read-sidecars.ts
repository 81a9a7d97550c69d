import type {
  Test,
  TestRun,
  TestTimeline,
  LoggedRequest,
  RequestLog,
  Route,
  TurnReadings,
  Collections,
  LoopLog,
  LoopPeriod,
} from '../samples/sample-stream.ts';
import { type Period, shiftsIn } from '../samples/own-work.ts';
import { boundedText } from '../files/file-path.ts';
import { isList, listOf, numberOf, textOf, amountOf } from '../../../protocol/json-value.ts';
import type { WaitCurve } from '../samples/wait-curve.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { plausibleTime } from '../samples/sample-times.ts';
import { type TestLine, testOutcomes, turnClassBounds } from '../../../protocol/recording-lines.ts';

/**
 * Reads the lines of a `.tests.jsonl`. While a test waits for one inside it, only the inner one counts as running. `isCut`:
 * later lines are missing, so no test is known to run after the last one.
 */
export function readTests(
  lines: readonly unknown[],
  toHere = (path: string): string => path,
  isCut = false,
): TestTimeline {
  const changes: number[] = [];
  const running: (Test | null)[] = [];
  const untold = new Set<string>();
  const runs = new Map<number, TestRun>();
  const open = new OpenTests();
  for (const line of lines.filter(isList)) {
    const [kind, time, id, ...rest] = line;
    if (kind === 'untold') untold.add(boundedText(textOf(id)));
    if (kind !== 'begin' && kind !== 'end') continue;
    const number = numberOf(id, -1);
    const run = runs.get(number);
    if (kind === 'end') {
      open.end(number);
      if (run !== undefined) runs.set(number, { ...run, outcome: outcomeOf(rest[0]) });
    } else {
      const test = testOf(rest, toHere);
      runs.set(number, { test, outcome: 'begun' });
      open.begin(number, test, numberOf(rest[2], -1));
    }
    changes.push(Math.max(plausibleTime(time, 0), changes.at(-1) ?? -Infinity));
    running.push(open.alone());
    for (const test of open.newlyTogether()) untold.add(test.file);
  }
  if (isCut) {
    changes.push(changes.at(-1) ?? 0);
    running.push(null);
  }
  const isComplete = !isCut && !lines.some((line) => isList(line) && incompleteKinds.has(line[0]));
  return { changes: Float64Array.from(changes, Math.round), running, untold, runs: [...runs.values()], isComplete };
}

/** Kinds of lines that stand for tests without lines. */
const incompleteKinds: ReadonlySet<unknown> = new Set<TestLine[0]>(['untold', 'unreported']);

function testOf([file, titles]: readonly unknown[], toHere: (path: string) => string): Test {
  return { name: listOf(titles).map(textOf).join(' > '), file: toHere(boundedText(textOf(file))) };
}

function outcomeOf(value: unknown): TestRun['outcome'] {
  return testOutcomes.find((one) => one === value) ?? 'ended';
}

class OpenTests {
  readonly #open = new Map<number, { readonly test: Test; readonly parent: number; inside: number }>();
  /** Tests that wait for no other test. */
  readonly #active = new Map<number, Test>();
  /** Ids of tests that became active, and have not been reported yet as active together with others. */
  #alone: number[] = [];

  begin(id: number, test: Test, parent: number): void {
    const above = this.#open.get(parent);
    if (above !== undefined) above.inside++;
    this.#active.delete(parent);
    this.#open.set(id, { test, parent, inside: 0 });
    this.#activate(id, test);
  }

  end(id: number): void {
    const parent = this.#open.get(id)?.parent ?? -1;
    const above = this.#open.get(parent);
    this.#open.delete(id);
    this.#active.delete(id);
    if (above === undefined) return;
    above.inside--;
    if (above.inside === 0) this.#activate(parent, above.test);
  }

  alone(): Test | null {
    if (this.#active.size !== 1) return null;
    const [test] = this.#active.values();
    return test ?? null;
  }

  /** Tests that are active together with others, each reported once; none where at most one is active. */
  newlyTogether(): readonly Test[] {
    const active = this.#alone.filter((id) => this.#active.has(id));
    this.#alone = this.#active.size > 1 ? [] : active;
    return this.#active.size > 1 ? active.flatMap((id) => this.#active.get(id) ?? []) : [];
  }

  #activate(id: number, test: Test): void {
    this.#active.set(id, test);
    this.#alone.push(id);
  }
}

/** Reads requests from the lines of a `.requests.jsonl`. */
export function readRequests(lines: readonly unknown[]): RequestLog {
  const routes = new Map<number, Route>();
  const requests: LoggedRequest[] = [];
  for (const line of lines) {
    if (!isList(line)) continue;
    const [kind] = line;
    if (kind === 'route') routes.set(numberOf(line[1], 0), routeOf(line));
    if (kind !== 'request') continue;
    const [route, since] = [numberOf(line[1], -1), plausibleTime(line[2], -1)];
    const [start, end] = [plausibleTime(line[3], -1), plausibleTime(line[4], -1)];
    if (start >= 0 && end >= start) requests.push({ route, since, start, end });
  }
  return { routes, requests: requests.toSorted((a, b) => a.start - b.start) };
}

function routeOf([, , method, path, by]: readonly unknown[]): Route {
  return {
    method: boundedText(textOf(method)),
    path: boundedText(textOf(path)),
    by: by === 'path' ? 'path' : 'pattern',
  };
}

/**
 * Reads the lines of a `.turns.jsonl`. `isComplete`: the isolate came to its end, so no turn is missing. The recorder's
 * own part is subtracted at a turn's end: its hooks run at many moments, and no sample shows which. Of longer works this
 * is known: what comes behind them moves forward.
 */
export function readTurns(lines: readonly unknown[], isComplete: boolean): TurnReadings {
  const known = lines.filter(isList);
  const turns = known
    .filter(([kind]) => kind === 'turn')
    .map(([, start, end, run, own, wait]) => ({
      start: Math.round(plausibleTime(start, 0)),
      end: Math.round(plausibleTime(end, 0) - Math.max(0, plausibleTime(own, 0))),
      run: plausibleTime(run, -1),
      wait: plausibleTime(wait, -1),
      own: Math.max(0, plausibleTime(own, 0)),
    }))
    .filter(({ start, end }) => end > start)
    .toSorted((a, b) => a.start - b.start);
  const works = worksIn(known);
  const shifts = turns.map(({ start, end, own }, turn) =>
    shiftsIn({ start, end: Math.min(end + own, turns[turn + 1]?.start ?? Infinity) }, Math.floor(own), works),
  );
  const marks = known.filter(([kind]) => kind === 'mark').map(([, at]) => plausibleTime(at, -Infinity));
  const steps = known.filter(([kind]) => kind === 'clock').map(([, step]) => plausibleTime(step, 0));
  const last = Math.max(-Infinity, turns.at(-1)?.end ?? -Infinity, marks.at(-1) ?? -Infinity);
  return {
    starts: Float64Array.from(turns, ({ start }) => start),
    ends: Float64Array.from(turns, ({ end }, turn) => Math.min(end, turns[turn + 1]?.start ?? end)),
    run: Float64Array.from(turns, ({ run }) => Math.round(run)),
    step: Math.max(0, Math.round(steps.at(-1) ?? 0)),
    wait: Float64Array.from(turns, ({ wait }) => Math.round(wait)),
    own: Float64Array.from(turns, ({ own }, turn) => own - (shifts[turn]?.at(-1)?.by ?? 0)),
    shifts: shifts.flat(),
    knownUntil: isComplete ? Infinity : Math.round(last),
    loop: readLoopLog(known),
  };
}

/** The recorder's own works, by start. */
function worksIn(known: readonly (readonly unknown[])[]): readonly Period[] {
  return known
    .filter(([kind]) => kind === 'own')
    .map(([, start, end]) => ({ start: Math.round(plausibleTime(start, 0)), end: Math.round(plausibleTime(end, 0)) }))
    .filter(({ start, end }) => end > start)
    .toSorted((a, b) => a.start - b.start);
}

/** Reads the lines of a `.waits.jsonl`, without lines whose time or wait is less than in the line before. */
export function readWaits(lines: readonly unknown[]): WaitCurve {
  const list = (): Float64Array => new Float64Array(lines.length);
  const [befores, times, waits] = [list(), list(), list()];
  let [count, lastAt, lastWait] = [0, 0, 0];
  for (const line of lines) {
    if (!isList(line) || line.length < 3) continue;
    const before = plausibleTime(line[0], Number.NaN);
    const at = plausibleTime(line[1], Number.NaN);
    const wait = plausibleTime(line[2], Number.NaN);
    if (!(at >= Math.max(before, lastAt) && wait >= lastWait)) continue;
    [befores[count], times[count], waits[count]] = [before, at, wait];
    count++;
    [lastAt, lastWait] = [at, wait];
  }
  return { before: befores.subarray(0, count), at: times.subarray(0, count), wait: waits.subarray(0, count) };
}

function readLoopLog(known: readonly (readonly unknown[])[]): LoopLog {
  return {
    periods: known
      .filter(([kind]) => kind === 'histogram')
      .map(periodOf)
      .filter(hasDuration),
    collections: known
      .filter(([kind]) => kind === 'gc')
      .map(collectionsOf)
      .filter(hasDuration),
  };
}

function periodOf([, from, to, counts, times]: readonly unknown[]): LoopPeriod {
  const bounds = [...turnClassBounds.map(microseconds), null];
  return {
    start: timeOf(from),
    end: timeOf(to),
    classes: bounds.map((below, length) => ({
      below,
      count: isList(counts) ? amountOf(counts[length]) : 0,
      time: isList(times) ? timeOf(times[length]) : microseconds(0),
    })),
  };
}

function collectionsOf(line: readonly unknown[]): Collections {
  const [, from, to, kind, count, time, longest, usedBefore, usedAfter] = line;
  return {
    start: timeOf(from),
    end: timeOf(to),
    kind: textOf(kind),
    count: amountOf(count),
    time: timeOf(time),
    longest: timeOf(longest),
    usedBefore: amountOf(usedBefore),
    usedAfter: amountOf(usedAfter),
  };
}

function hasDuration({ start, end }: { readonly start: Microseconds; readonly end: Microseconds }): boolean {
  return end > start;
}

function timeOf(value: unknown): Microseconds {
  return microseconds(Math.max(0, Math.round(plausibleTime(value, 0))));
}
