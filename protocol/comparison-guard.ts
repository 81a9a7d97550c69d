import * as v from 'valibot';
import type {
  ComparedAnswers,
  ComparedCounts,
  ComparedFunction,
  ComparedPlace,
  ComparedSide,
  ComparedTimes,
  ComparedRequest,
  Comparison,
} from './comparison.ts';
import { changeVerdicts, requestReasons, requestVerdicts } from './comparison.ts';
import type { Line1 } from './units.ts';
import { count, finite, textOrNull, time } from './webview-guard.ts';

/** Whether a value is output of `hotspan compare --json`, down to every time. Unknown keys are allowed. */
export function isComparison(value: unknown): value is Comparison {
  return v.is(comparison, value);
}

const numberOrNull = v.nullable(finite);

const side: v.GenericSchema<unknown, ComparedSide> = v.object({
  name: textOrNull,
  runs: v.array(
    v.object({
      path: v.string(),
      paths: v.array(v.string()),
      isNarrow: v.exactOptional(v.literal(true)),
      node: textOrNull,
      share: numberOrNull,
      exitCode: numberOrNull,
    }),
  ),
});
const place: v.GenericSchema<unknown, ComparedPlace> = v.object({
  label: v.string(),
  file: v.string(),
  url: v.string(),
  line: v.custom<Line1>((value) => Number.isInteger(value)),
});
const times: v.GenericSchema<unknown, ComparedTimes> = v.object({
  wasUs: v.array(time),
  isUs: v.array(time),
  wasBelow: v.boolean(),
  isBelow: v.boolean(),
  ratio: numberOrNull,
  low: numberOrNull,
  high: numberOrNull,
});
const counts: v.GenericSchema<unknown, ComparedCounts> = v.object({
  was: v.array(finite),
  is: v.array(finite),
  changed: v.boolean(),
});
const compared: v.GenericSchema<unknown, ComparedFunction> = v.object({
  was: v.nullable(place),
  is: v.nullable(place),
  matchedBy: v.nullable(v.picklist(['same', 'text', 'names', 'callback', 'file', 'renamed'])),
  textChanged: v.nullable(v.boolean()),
  worst: times,
  withCallees: v.exactOptional(v.literal(true)),
  firstCall: v.exactOptional(v.literal(true)),
  presence: times,
  longCount: counts,
  stacks: counts,
  isTest: v.boolean(),
  verdict: v.picklist([...changeVerdicts, 'tooNoisy', 'noChangeSeen']),
  confirmed: v.boolean(),
  pairs: count,
  testFiles: v.array(v.string()),
  movedTo: v.exactOptional(place),
});
const answers: v.GenericSchema<unknown, ComparedAnswers> = v.object({
  answers: v.array(count),
  sent: v.array(count),
  refused: v.array(count),
  p50Us: v.array(time),
  p99Us: v.array(time),
});
const request: v.GenericSchema<unknown, ComparedRequest> = v.object({
  title: v.string(),
  was: answers,
  is: answers,
  verdict: v.picklist(requestVerdicts),
  reason: v.exactOptional(v.picklist(requestReasons)),
});
const comparison: v.GenericSchema<unknown, Comparison> = v.object({
  version: v.literal(1),
  kind: v.literal('comparison'),
  order: v.picklist(['interleaved', 'blocks']),
  thresholdUs: time,
  base: side,
  head: side,
  machine: v.object({ medianRatio: numberOrNull, flagged: count, of: count, shifted: v.boolean() }),
  functions: v.array(compared),
  leftOut: v.exactOptional(count),
  requests: v.exactOptional(v.array(request)),
  warnings: v.array(v.string()),
});
