import type { FlameFrame, FlameSearchAnswer } from '../protocol/flame.ts';
import { duration, plural } from '../words/formats/figures.ts';
import { visible } from '../words/formats/hidden-characters.ts';
import { share } from './basics/frame-text.ts';
import type { State } from './basics/page-state.ts';

/** Whether a frame matches the search, or has a match folded into it; null while nothing is searched for. */
export function frameMatcher(found: FlameSearchAnswer | null): ((frame: FlameFrame) => boolean) | null {
  if (found?.type !== 'found') return null;
  const [functionIds, categories, bars] = [new Set(found.functionIds), new Set(found.categories), new Set(found.bars)];
  return ({ id, foldId, functionId, category, folded }) => {
    if (folded?.type === 'others' || folded?.type === 'outside') return bars.has(foldId ?? id);
    return functionId >= 0 ? functionIds.has(functionId) : id !== '' && categories.has(category);
  };
}

/** A text such as `3 of 14 · 23 %`; empty while there is no answer. */
export function countText({ choices, found, at, answer }: State): string {
  if (choices.pattern === '' || found?.type !== 'found' || answer === null) return '';
  if (found.matches === 0) return 'No match';
  const part = share(found.matchedUs, answer.totalUs);
  if (at !== null) return `${at.number} of ${at.matches} · ${part}`;
  return `${found.matches === 1 ? '1 match' : `${found.matches} matches`} · ${part}`;
}

/** What the count means, in full. */
export function countTitle({ found }: State): string {
  if (found?.type !== 'found') return '';
  return `${plural(found.matches, 'frame')} with ${duration(found.matchedUs)}. Enter and Shift+Enter go from one to the next, the heaviest first.`;
}

/** Why a regular expression finds nothing: one sentence; null where it is one. */
export function problemText({ found }: State): string | null {
  if (found?.type === 'slow')
    return 'This regular expression takes too long: try a simpler one, or search for plain text.';
  return found?.type === 'wrong' ? `This is no regular expression: ${visible(found.message, 300)}.` : null;
}
