import * as v from 'valibot';
import type { Figures, FirstTime } from './figures.ts';
import type { OperationList, OperationRow, PickedOperation, Timeline } from './time.ts';
import { count, finite, textOrNull, time } from './webview-guard.ts';

export const figures: v.GenericSchema<unknown, Figures> = v.object({
  worstUs: time,
  longCount: finite,
  distinctStacks: finite,
  estimated: v.boolean(),
  waited: v.exactOptional(v.nullable(v.object({ us: time, in: textOrNull }))),
  runs: v.exactOptional(
    v.object({
      worstUs: v.array(v.nullable(time)),
      longCount: v.array(v.nullable(finite)),
      distinctStacks: v.exactOptional(v.array(v.nullable(finite))),
    }),
  ),
});
export const firstTime: v.GenericSchema<unknown, FirstTime> = v.object({ loads: textOrNull, thenUs: v.nullable(time) });

const times = v.array(finite);

export const timeline: v.GenericSchema<unknown, Timeline> = v.object({
  durationUs: time,
  lane: v.nullable(count),
  lanes: v.array(v.object({ number: count, name: v.string() })),
  isOneClock: v.boolean(),
  estimated: v.boolean(),
  longest: times,
  operations: times,
  collecting: times,
  delays: times,
  delay: v.nullable(v.object({ p50: time, p99: time })),
});

const row = {
  number: count,
  heldUs: time,
  estimated: v.boolean(),
  startUs: time,
  endUs: time,
  holder: v.string(),
  where: v.string(),
  group: v.string(),
};
const operationRow: v.GenericSchema<unknown, OperationRow> = v.object(row);

export const operationList: v.GenericSchema<unknown, OperationList> = v.object({
  rows: v.array(operationRow),
  first: count,
  total: count,
  note: textOrNull,
});

export const pickedOperation: v.GenericSchema<unknown, PickedOperation> = v.object({
  ...row,
  place: v.string(),
  culprit: v.nullable(v.object({ figures, firstTime: v.nullable(firstTime) })),
  wallUs: time,
  runUs: v.nullable(time),
  waitUs: v.nullable(time),
  sleptUs: v.nullable(time),
  waitedIn: textOrNull,
  gcUs: time,
  loadUs: time,
  waiting: v.nullable(v.array(v.object({ route: v.string(), requests: count, longestUs: time }))),
});
