import { microseconds } from '../../protocol/units.ts';
import type { FlameAnswer, FlameFrame } from '../../protocol/flame.ts';
import { duration } from '../../words/formats/figures.ts';
import { perText } from '../../words/formats/diff-texts.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { wayTo } from '../basics/blocks.ts';
import { frameName, share } from '../basics/frame-text.ts';
import type { State } from '../basics/page-state.ts';
import { partText } from '../basics/time-text.ts';

/** What of a recording is shown, in a few words each: `100 ms in all`, `zoomed to handler: 62 ms, 62 %`. */
export function shownFacts(
  { shown: choices, timeline }: Pick<State, 'shown' | 'timeline'>,
  answer: FlameAnswer,
): readonly string[] {
  const { operation, totalUs, diff, callers } = answer;
  const frame = shownFrame(answer, choices.zoom);
  const times = `${duration(microseconds(frame.value))}, ${share(frame.value, totalUs)} of all`;
  const part = operation !== undefined || timeline === null ? '' : partText(choices.part, timeline);
  return [
    ...(part === '' ? [] : [part]),
    ...(diff === undefined
      ? [part === '' ? `${duration(totalUs)} in all` : `${duration(totalUs)} in this part of the run`]
      : [perText(diff)]),
    ...(operation === undefined ? [] : [operationFact(operation)]),
    ...(callers !== undefined ? [`callers and callees of ${frameName(frame)}: ${times}`] : []),
    ...(callers === undefined && frame.id !== '' ? [`zoomed to ${frameName(frame)}: ${times}`] : []),
  ];
}

/** The frame that is zoomed to, or the function whose callees are shown; else the root. */
export function shownFrame({ root, callers }: FlameAnswer, zoom: string): FlameFrame {
  return callers === undefined ? (wayTo(root, zoom).at(-1) ?? root) : root;
}

function operationFact({ durationUs, test }: NonNullable<FlameAnswer['operation']>): string {
  const where = test === null ? '' : `, in the test "${visible(test, 200)}"`;
  return `one operation alone, which held the event loop for ${duration(durationUs)}${where}`;
}
