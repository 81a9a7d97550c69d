import type { PickedOperation } from '../../protocol/time.ts';
import { microseconds } from '../../protocol/units.ts';
import { holderPlace } from '../../words/operation-words.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { firstTimeOf, waitOf } from '../../engine/hot-functions.ts';
import { worstPart } from '../../engine/judge/hotspots/function-details.ts';
import { waitingBehind } from '../../engine/judge/requests/waiting-behind.ts';
import { operationRow } from './operation-list.ts';

/** What is known of an operation; null for a number that is none. */
export function pickedOperation(analysis: Analysis, number: number): PickedOperation | null {
  const operation = analysis.operations[number];
  if (operation === undefined) return null;
  const { start, end, thread } = operation;
  const { gc = microseconds(0), load = microseconds(0) } = analysis.verdicts[number] ?? {};
  return {
    ...operationRow(analysis, number),
    place: holderPlace(analysis, number),
    culprit: culpritOf(analysis, number),
    wallUs: microseconds(end - start),
    runUs: thread.run,
    waitUs: thread.wait,
    sleptUs: thread.slept,
    waitedIn: waitedIn(analysis, number),
    gcUs: gc,
    loadUs: load,
    waiting: waitingBehind(analysis, number),
  };
}

/** The figures of the function that held the loop. */
function culpritOf(analysis: Analysis, number: number): PickedOperation['culprit'] {
  const functionId = analysis.verdicts[number]?.culprit?.functionId ?? -1;
  const found = analysis.figures[functionId];
  const culprit = found?.culprit ?? null;
  if (found === undefined || culprit === null) return null;
  const { worst, longCount, distinctStacks, estimated, runs } = culprit;
  const waited = waitOf(culprit.waited, functionId, analysis);
  const figures = {
    worstUs: worst,
    longCount,
    distinctStacks,
    estimated,
    waited,
    ...(runs === undefined ? {} : { runs }),
  };
  return { figures, firstTime: firstTimeOf(found, analysis) };
}

/** The call that the thread slept in. It is known for the worst operation of a function. */
function waitedIn(analysis: Analysis, number: number): string | null {
  const functionId = analysis.verdicts[number]?.culprit?.functionId ?? -1;
  if (functionId < 0 || worstPart(analysis, functionId)?.operation !== number) return null;
  return waitOf(analysis.figures[functionId]?.culprit?.waited ?? null, functionId, analysis)?.in ?? null;
}
