import type { Summary, SummaryBlame } from '../../protocol/summary.ts';
import { duration, labelWithPlace, timeText, upTo } from './figures.ts';

/** What a verdict says where no finding needs an action. */

type ScopeFacts = Pick<Summary, 'failedWith' | 'isIncomplete'>;
type BlameFacts = ScopeFacts & Pick<Summary, 'blame' | 'isUncertain' | 'firstCall'>;
type QuietFacts = ScopeFacts & Pick<Summary, 'blame' | 'longest' | 'thresholdUs'>;

/** The verdict if no own function is over the threshold. After a failed command, it holds only for what ran. */
export function quietVerdict({ blame, longest, thresholdUs, ...facts }: QuietFacts): string {
  const { that, but } = scopeOf(facts);
  if (blame?.isOwn === true) return `${shortCallsBlock}: ${upTo(blame, ' in one go')}.`;
  if (blame?.shortCalls !== undefined) return `No single function of yours blocks, but ${blockersText(blame)}.`;
  if (blame !== null) return `${nothingOf(that, 'your own code')}, but ${blockersText(blame)}.`;
  // Its own part may be short, as where it loads modules.
  const isLonger = longest !== null && longest.us > thresholdUs;
  const over = `${duration(thresholdUs)}${isLonger ? ' by itself' : ''}`;
  const nothing = `${nothingOf(that, 'your code')} blocks for more than ${over}${but}.`;
  const longestWith = isLonger ? 'Longest, with what it calls' : 'Longest';
  return longest === null
    ? nothing
    : `${nothing} ${longestWith}: ${timeText(longest)}, ${labelWithPlace(longest.label, longest.place)}`;
}

/** The beginning of the verdict if no single own function is over the threshold, but all of them together are. */
export const shortCallsBlock = 'No single function of yours blocks, but short calls of your code together do';

/** If something was long, and no finding is open: that nothing needs an action, or that what does is not a function of yours. */
export function nothingToDo({ blame, isUncertain, firstCall, ...facts }: BlameFacts): string {
  const { that, but } = scopeOf(facts);
  const unless = firstCall === undefined || isUncertain ? '' : unlessQuick(firstCall);
  const needs = isUncertain ? 'surely needs an action' : `needs an action${unless}`;
  if (blame !== null) {
    const hasShortCalls = blame.isOwn || blame.shortCalls !== undefined;
    const subject = hasShortCalls ? 'No single function of yours' : nothingOf(that, 'your own code');
    return `${subject} ${needs}, but ${blockersText(blame)}.`;
  }
  if (that !== '') return `Nothing ${that} ${needs}${but}.`;
  if (isUncertain) return 'Nothing here surely needs an action.';
  return unless === '' ? 'Nothing to do here: what was long needs no action.' : `Nothing to do here${unless}.`;
}

/** Whether V8 warmed up or the input was large, a profile does not show. */
function unlessQuick(first: NonNullable<BlameFacts['firstCall']>): string {
  return `, unless the first call of ${labelWithPlace(first.label, first.place)} (${timeText(first)}) has to be quick`;
}

/** `Node.js itself blocks up to 257 ms (3 ×)`. */
function blockersText(blame: SummaryBlame): string {
  if (blame.isOwn) return `short calls of your code together block ${upTo(blame, ' in one go')}`;
  const own = blame.shortCalls === undefined ? '' : `, and short calls of your code together ${upTo(blame.shortCalls)}`;
  return `${blame.name} blocks ${upTo(blame)}${own}`;
}

function nothingOf(that: string, code: string): string {
  return that === '' ? `Nothing in ${code}` : `Nothing ${that} of ${code}`;
}

/** For what a verdict holds, and why for no more; empty where it holds for the whole program. */
function scopeOf({ failedWith, isIncomplete }: ScopeFacts) {
  if (failedWith !== undefined) return { that: 'that ran', but: `, but the command failed (exit code ${failedWith})` };
  return isIncomplete ? { that: 'that was recorded', but: ', but not all was recorded' } : { that: '', but: '' };
}
