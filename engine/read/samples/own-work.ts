import { microseconds } from '../../../protocol/units.ts';
import { firstWhere, lastUpTo } from '../../basics/lists.ts';
import type { LoggedRequest, SampleStream } from './sample-stream.ts';
import type { Shift } from './sample-times.ts';
import type { WaitCurve } from './wait-curve.ts';

export interface Period {
  readonly start: number;
  readonly end: number;
}

/** The shifts of one turn, ascending, by at most `own` in all. `works` ascend by start, and may be outside of it. */
export function shiftsIn(turn: Period, own: number, works: readonly Period[]): readonly Shift[] {
  const shifts: Shift[] = [];
  let [by, to] = [0, turn.start];
  let next = firstWhere(works.length, (work) => (works[work]?.start ?? 0) >= turn.start);
  for (let work = works[next]; work !== undefined && work.start < turn.end; work = works[next]) {
    const { start, end } = work;
    next++;
    to = Math.max(to, start - by);
    by = Math.min(own, by + end - start);
    shifts.push({ from: start, until: Math.min(works[next]?.start ?? turn.end, turn.end), by, to });
  }
  return shifts;
}

/** What has times on the clock of one isolate. */
interface Clocked extends Pick<SampleStream, 'times' | 'end' | 'tests' | 'requests'> {
  readonly waits: WaitCurve | null;
}

/** The same, moved. `shifts` ascend. */
export function withoutOwnWork<Given extends Clocked>(given: Given, shifts: readonly Shift[]): Given {
  if (shifts.length === 0) return given;
  const { times, end, tests, requests, waits } = given;
  const froms = Float64Array.from(shifts, ({ from }) => from);
  const moved = (time: number): number => {
    const shift = shifts[lastUpTo(froms, time)];
    return shift === undefined || time >= shift.until ? time : Math.max(shift.to, time - shift.by);
  };
  const movedRequest = (request: LoggedRequest): LoggedRequest => ({
    route: request.route,
    since: moved(request.since),
    start: moved(request.start),
    end: moved(request.end),
  });
  return {
    ...given,
    times: times.moved(shifts),
    end: microseconds(moved(end)),
    tests: tests === null ? null : { ...tests, changes: tests.changes.map(moved) },
    requests: requests === null ? null : { ...requests, requests: requests.requests.map(movedRequest) },
    waits: waits === null ? null : { ...waits, before: waits.before.map(moved), at: waits.at.map(moved) },
  };
}
