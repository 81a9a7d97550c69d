import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import { duration } from '../../words/formats/figures.ts';
import type { StackFrame, StackText } from '../../protocol/requests.ts';

/**
 * A call path such as `312 ms: handler › quote › cloneDeep`: own code by name, runs of other code as `…`. `link` makes
 * the text of a frame.
 */
export function stackLine({ us, frames }: StackText, link: (frame: StackFrame) => string): string {
  const parts = frames.flatMap((frame, index) => {
    if (frame.own) return [link(frame)];
    return index > 0 && frames[index - 1]?.own === false ? [] : ['…'];
  });
  return `${duration(us)}: ${parts.join(' › ')}`;
}

export function plainFrame({ label, place }: StackFrame): string {
  return `${escapeMarkdown(label)} (${escapeMarkdown(place)})`;
}
