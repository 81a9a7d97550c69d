import {
  type ChangeVerdict,
  type ComparedFunction,
  type Comparison,
  isChange,
  isWorse,
} from '../protocol/comparison.ts';
import {
  changeText,
  comparedLabel,
  comparedPlace,
  comparisonSummary,
  verdictNames,
} from '../words/formats/change-texts.ts';
import { comparisonNotes, hasGapOnOneSide } from '../words/formats/comparison-notes.ts';
import { duration } from '../words/formats/figures.ts';
import { type Answer, data, dataNote, fitting } from './tools.ts';

/** What a change did to one function. */
export interface Rechecked extends Change, Answer {
  readonly warnings: readonly string[];
  readonly omitted: number;
}

interface Change {
  readonly name: string;
  /** `src/cart.ts:12`. */
  readonly at: string;
  /** `faster`, `no change seen`; `quick` for a function that was and is under the threshold; `nothing to judge`. */
  readonly verdict: string;
  /** `312 → 41 ms (40–44, 5 pairs)`. */
  readonly change: string;
  /** Present where the function's own text did not change. */
  readonly untouched?: true;
}

/** `fn` is undefined where no run had it over the threshold; `asked` is how it was named, `name` its name if known. */
export function rechecked(
  comparison: Comparison,
  fn: ComparedFunction | undefined,
  asked: string,
  name = '',
): Rechecked {
  const notes = comparisonNotes(comparison);
  const shown = notes.slice(0, MAX_NOTES).map((text) => data(text, MAX_SENTENCE));
  const rest = { warnings: shown, omitted: notes.length - shown.length, data: dataNote };
  if (fn !== undefined) return { ...changeOf(fn, comparison), ...rest, next: nextOf(fn, comparison) };
  const at = data(asked, MAX_PLACE);
  if (comparison.head.runs.length === 0)
    return {
      name: '',
      at,
      verdict: 'nothing to judge',
      change: 'no code differs',
      ...rest,
      next: `change ${at} first`,
    };
  const change = `under ${duration(comparison.thresholdUs)} before and now, or not seen`;
  return { name: data(name), at, verdict: 'quick', change, ...rest, next: 'profile again, then findings' };
}

function changeOf(fn: ComparedFunction, comparison: Comparison): Change {
  return {
    name: data(comparedLabel(fn)),
    at: data(comparedPlace(fn), MAX_PLACE),
    verdict: verdictNames[fn.verdict],
    change: data(changeText(fn, comparison), MAX_SENTENCE),
    ...(fn.textChanged === false ? { untouched: true } : {}),
  };
}

function nextOf(fn: ComparedFunction, { machine }: Comparison): string {
  const at = data(comparedPlace(fn), MAX_PLACE);
  if (fn.verdict === 'tooNoisy' || machine.shifted) return `recheck ${at} again when the machine is quieter`;
  return steps[fn.movedTo === undefined ? fn.verdict : 'moved'].replace('it', () => at);
}

/** `it` is the place. */
const steps: Readonly<Record<Exclude<ChangeVerdict, 'tooNoisy'>, string>> = {
  faster: 'profile again, then findings',
  gone: 'profile again, then findings',
  lessOften: 'profile again, then findings',
  slower: 'undo the change, or explain it',
  new: 'undo the change, or explain it',
  moreOften: 'undo the change, or explain it',
  moved: 'profile again: the time is in another function',
  noChangeSeen: 'explain it: the change does not help',
  notReached: 'let the tests of it pass on both sides, then recheck',
};

/** What a change made faster or slower. */
export interface Compared extends Answer {
  /** `2 slower · 1 faster · no change seen in 14`. */
  readonly verdict: string;
  /** The largest first. */
  readonly changes: readonly Change[];
  readonly warnings: readonly string[];
  readonly omitted: number;
}

export function compared(comparison: Comparison): Compared {
  const changes = comparison.functions.filter(isChange).map((fn) => changeOf(fn, comparison));
  const notes = comparisonNotes(comparison);
  const { shown, omitted } = fitting(changes, MAX_CHANGES);
  const warnings = notes.slice(0, MAX_NOTES).map((text) => data(text, MAX_SENTENCE));
  const slower = comparison.functions.find(isWorse);
  return {
    verdict: comparisonSummary(comparison),
    changes: shown,
    warnings,
    omitted: omitted + notes.length - warnings.length,
    data: dataNote,
    next: comparison.machine.shifted
      ? 'measure again when the machine is quieter'
      : slower !== undefined
        ? `explain ${data(comparedPlace(slower), MAX_PLACE)}`
        : hasGapOnOneSide(comparison)
          ? 'read the warnings: something of one side is missing'
          : 'nothing to do: nothing is slower',
  };
}

const MAX_CHANGES = 20;
const MAX_NOTES = 3;
/** In characters. */
const MAX_SENTENCE = 300;
const MAX_PLACE = 160;
