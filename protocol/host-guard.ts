import * as v from 'valibot';
import { type FlameDiff, type FlameSide, frameChanges, type FrameDiff, type SideTimes } from './diff.ts';
import {
  type FlameAnswer,
  type FlameCode,
  type FlameDeopt,
  type FlameFrame,
  type FlameOperation,
  type FlameSearchAnswer,
  type FoldedFrames,
  type FoundFrame,
  type FrameTiers,
  type TiersAnswer,
  frameCategories,
  ownRoles,
} from './flame.ts';
import type { Line1, Microseconds } from './units.ts';
import { figures, firstTime, operationList, pickedOperation, timeline } from './time-guard.ts';
import { count, finite, side, textOrNull, time } from './webview-guard.ts';
import { type HostMessage, takenForms } from './webview.ts';
import { type V8Tier, v8Tiers } from './v8-tiers.ts';

/** Whether something that arrived at the page is a message of the extension, down to every frame. */
export function isHostMessage(value: unknown): value is HostMessage {
  return v.is(hostMessage, value);
}

const selfByTier: v.GenericSchema<unknown, Readonly<Record<V8Tier, Microseconds>>> = v.object(
  v.entriesFromList(v8Tiers, time),
);
const frameTiers: v.GenericSchema<unknown, FrameTiers> = v.object({
  ignition: time,
  sparkplug: time,
  maglev: time,
  turbofan: time,
  unknown: time,
  inlined: time,
  osr: time,
});
const range = v.tuple([time, time]);
const sideTimes: v.GenericSchema<unknown, SideTimes> = v.object({
  ...{ totalUs: time, selfUs: time, totalRange: range, selfRange: range },
});
const frameDiff: v.GenericSchema<unknown, FrameDiff> = v.object({
  change: v.picklist(frameChanges),
  was: sideTimes,
  is: sideTimes,
  wasName: v.exactOptional(v.string()),
  onlyBefore: v.exactOptional(v.literal(true)),
});
const flameSide: v.GenericSchema<unknown, FlameSide> = v.object({
  ...{ runs: count, count, estimated: v.boolean(), totalUs: time },
});
const flameDiff: v.GenericSchema<unknown, FlameDiff> = v.object({
  view: side,
  of: v.nullable(v.object({ functionId: count, name: v.string() })),
  was: flameSide,
  is: flameSide,
  rule: v.picklist(['apart', 'twice']),
  differenceByChange: v.object(v.entriesFromList(frameChanges, time)),
});

const folded: v.GenericSchema<unknown, FoldedFrames> = v.variant('type', [
  v.object({
    type: v.picklist(['others', 'outside']),
    frames: count,
    owners: v.array(v.object({ name: v.string(), totalUs: time })),
  }),
  v.object({ type: v.literal('small'), frames: count }),
  v.object({ type: v.literal('recursion'), levels: count }),
]);

type FrameAlone = Omit<FlameFrame, 'children'> & { readonly children: readonly unknown[] };

/** A frame as far as its own fields go: `children` is some list. */
const frame: v.GenericSchema<unknown, FrameAlone> = v.object({
  id: v.string(),
  name: v.string(),
  url: v.string(),
  value: finite,
  selfUs: time,
  functionId: finite,
  line: v.custom<Line1>((value) => Number.isFinite(value)),
  hiddenUs: time,
  category: v.picklist(frameCategories),
  tiers: v.exactOptional(frameTiers),
  figures: v.exactOptional(figures),
  firstTime: v.exactOptional(firstTime),
  role: v.exactOptional(v.picklist(ownRoles)),
  changed: v.exactOptional(v.literal(true)),
  diff: v.exactOptional(frameDiff),
  folded: v.exactOptional(folded),
  unfolded: v.exactOptional(v.string()),
  foldId: v.exactOptional(v.string()),
  startUs: v.exactOptional(time),
  children: v.array(v.unknown()),
});

/** Goes down with a list of its own: a stack of frames can be deeper than the engine's. */
const frameTree = v.custom<FlameFrame>((root) => {
  const left: unknown[] = [root];
  while (left.length > 0) {
    const next = left.pop();
    const result = v.safeParse(frame, next, { abortEarly: true });
    if (!result.success) return false;
    for (const child of result.output.children) left.push(child);
  }
  return true;
});

const deopt: v.GenericSchema<unknown, FlameDeopt> = v.object({ reason: v.string(), place: v.string(), count });
const code: v.GenericSchema<unknown, FlameCode> = v.object({
  functionId: count,
  notes: v.array(v.string()),
  deopts: v.array(deopt),
});
const tiersAnswer: v.GenericSchema<unknown, TiersAnswer> = v.variant('type', [
  v.object({ type: v.literal('recorded'), selfByTier, code: v.array(code) }),
  v.object({ type: v.literal('secondRun'), recording: v.string(), startedAt: textOrNull }),
  v.object({ type: v.literal('none') }),
]);
const operation: v.GenericSchema<unknown, FlameOperation> = v.object({
  number: count,
  durationUs: time,
  test: textOrNull,
});
const found: v.GenericSchema<unknown, FoundFrame> = v.object({
  ...{ id: v.string(), number: count, matches: count, open: v.array(v.string()) },
});
const answer: v.GenericSchema<unknown, FlameAnswer> = v.object({
  zoom: v.string(),
  totalUs: time,
  chosen: v.exactOptional(v.string()),
  selfByCategory: v.object(v.entriesFromList(frameCategories, time)),
  tiers: v.exactOptional(tiersAnswer),
  operation: v.exactOptional(operation),
  diff: v.exactOptional(flameDiff),
  found: v.exactOptional(found),
  callers: v.exactOptional(frameTree),
  functions: v.exactOptional(v.object({ rows: v.array(frameTree), more: count, folded: count })),
  operations: v.exactOptional(operationList),
  picked: v.exactOptional(pickedOperation),
  root: frameTree,
});
const searchAnswer: v.GenericSchema<unknown, FlameSearchAnswer> = v.variant('type', [
  v.object({
    type: v.literal('found'),
    matches: count,
    matchedUs: time,
    functionIds: v.array(count),
    categories: v.array(v.picklist(frameCategories)),
    bars: v.array(v.string()),
  }),
  v.object({ type: v.literal('wrong'), message: v.string() }),
  v.object({ type: v.literal('slow') }),
]);

const hostMessage: v.GenericSchema<unknown, HostMessage> = v.variant('type', [
  v.object({ type: v.literal('loading'), text: v.string() }),
  v.object({
    type: v.literal('show'),
    recording: v.string(),
    title: v.string(),
    verdict: v.string(),
    finding: v.nullable(count),
    folders: v.array(v.string()),
    thresholdUs: time,
    isTiers: v.boolean(),
    isOthersAlone: v.exactOptional(v.literal(true)),
    isDiff: v.boolean(),
    isSecondRun: v.boolean(),
    startedAt: textOrNull,
  }),
  v.object({ type: v.literal('answer'), id: count, answer }),
  v.object({ type: v.literal('searchAnswer'), id: count, answer: searchAnswer }),
  v.object({ type: v.literal('timelineAnswer'), id: count, answer: timeline }),
  v.object({ type: v.literal('failed'), id: v.nullable(count), text: v.string() }),
  v.object({ type: v.literal('focus'), functionId: count, alone: v.boolean(), side: v.exactOptional(side) }),
  v.object({ type: v.literal('showOperation'), operation: count }),
  v.object({ type: v.literal('note'), text: v.string() }),
  v.object({ type: v.literal('refresh') }),
  v.object({ type: v.literal('takeAway'), form: v.picklist(takenForms) }),
]);
