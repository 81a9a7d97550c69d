import type { Actions } from './page-state.ts';
import { groupOf, type PaintKind } from './paint.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import { fileNameOf } from '../../protocol/machine-path.ts';
import { isInside, pathBelow, systemPath } from '../../protocol/path-spelling.ts';
import {
  callersPrefix,
  type FlameAnswer,
  type FlameFrame,
  tierOf,
  type FlameSearchAnswer,
} from '../../protocol/flame.ts';
import { functionFigures, plural, withLine, worstTime, v8TierNames } from '../../words/formats/figures.ts';
import type { Figures, FirstTime } from '../../protocol/figures.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { FlameHighlight } from '../../protocol/webview.ts';
import { type V8Tier, notOptimizedTiers, optimizedTiers, v8Tiers } from '../../protocol/v8-tiers.ts';
import { changedTimes, changeNames } from '../../words/formats/diff-texts.ts';

export function frameName(frame: FlameFrame): string {
  if (frame.id === '') return 'All';
  if (frame.folded?.type === 'small') return `${plural(frame.folded.frames, 'frame')} too narrow to draw`;
  if (isOutside(frame)) return `Outside of your code: ${visible(frame.name, 200)}`;
  return visible(frame.name === '' ? '(anonymous)' : frame.name, 200);
}

/**
 * The place of a frame: `src/catalogue.js:12` below the folder, with the folder's name in front where there are
 * several; `src/a.js (line unknown)`; `node:fs:42`; `''` where there is no file. Long paths keep their end.
 */
export function framePlace(frame: FlameFrame, folders: readonly string[]): string {
  if (frame.url === '') return '';
  const whole = decoded(frame.url);
  const folder = folders.map(decoded).find((one) => isInside(whole, [one]));
  const inside = folder === undefined ? whole : (pathBelow(whole, folder) ?? whole);
  const named = folder === undefined || folders.length === 1 ? inside : `${fileNameOf(folder)}/${inside}`;
  const shown = systemPath(named, whole);
  const path = visible(clipStart(shown, 120), 500);
  return frame.line > 0 || isFile.test(frame.url) ? withLine(path, frame.line) : path;
}

const isFile = /^(file:|\/|[a-z]:[/\\])/i;

/** The path of a `file:` url; any other url unchanged. */
function decoded(url: string): string {
  if (!url.startsWith('file://')) return url;
  const path = url.replace(/^file:\/\/(?=\/)|^file:/, '');
  try {
    return decodeURIComponent(path).replace(/^\/(?=[a-z]:)/i, '');
  } catch {
    return path; // The url is not percent-encoded.
  }
}

function clipStart(text: string, maxLength: number): string {
  return text.length > maxLength ? `…${text.slice(-maxLength)}` : text;
}

/** The figures of the frame's function as a culprit, in the same words as everywhere; `''` if it is not one. */
export function frameFigures(
  { figures, firstTime }: { readonly figures?: Figures; readonly firstTime?: FirstTime | null },
  thresholdUs: Microseconds,
): string {
  if (figures === undefined) return '';
  const shown = { ...figures, firstTime: firstTime ?? null, tone: 'plain' } as const;
  return visible(functionFigures(shown, thresholdUs), 300);
}

/** What frames are parts of. */
export type Whole = Pick<FlameAnswer, 'totalUs' | 'estimated'>;

/** A time of frames: `312 ms`, `≈312 ms`. */
export function timeText(us: number, { estimated }: Pick<Whole, 'estimated'>): string {
  return worstTime({ worstUs: microseconds(us), estimated: estimated === true });
}

/** The time on a frame: `312 ms`; in a diff with the time before, if it has changed; for a folded bar with its share. */
export function frameTime({ value, diff, folded }: FlameFrame, whole: Whole): string {
  if (diff !== undefined && diff.change !== 'none') return changedTimes(diff);
  const time = timeText(value, whole);
  if (folded?.type === 'outside') return ''; // Its name begins with its share.
  if (folded?.type === 'others') return `${time} · ${share(value, whole.totalUs)}`;
  return folded?.type !== 'recursion' ? time : `${time} · ${folded.levels} levels`;
}

/** Unfolds a frame, or folds it again, if it can be. */
export function refold(
  { id, folded, foldId, unfolded }: FlameFrame,
  type: 'unfold' | 'fold',
  { dispatch }: Actions,
): void {
  const target = type === 'fold' ? unfolded : folded?.type === 'small' ? undefined : folded && (foldId ?? id);
  if (target !== undefined) dispatch({ type, id: target });
}

/** Whether code of others is folded into this frame. */
export function isBar({ folded }: Pick<FlameFrame, 'folded'>): boolean {
  return folded?.type === 'others' || folded?.type === 'outside';
}

/** Whether this is the frame for everything that runs outside of own code. */
export function isOutside({ folded }: Pick<FlameFrame, 'folded'>): boolean {
  return folded?.type === 'outside';
}

/** Whether this is a caller of the function that is shown: its time is its part in that function, its self time unknown. */
export function isCaller({ id }: Pick<FlameFrame, 'id'>): boolean {
  return id.startsWith(callersPrefix);
}

/** Counts the folded frames: `1020 folded frames`; `''` without any. */
export function foldedText({ folded }: FlameFrame): string {
  if (folded === undefined) return '';
  if (folded.type === 'recursion') return `calls itself on ${folded.levels} levels`;
  return folded.type === 'small' ? '' : plural(folded.frames, 'folded frame');
}

/** Whether only the operations of a frame's function can be shown: its worst one, in a diff all of them. */
export function canBeAlone({ figures, diff, functionId }: FlameFrame): boolean {
  return figures !== undefined || (diff !== undefined && functionId >= 0);
}

/** Whether there is a file to open: Node's own modules and native functions have none. */
export function hasSource(frame: FlameFrame): boolean {
  return hasFile(frame) && frame.line > 0;
}

/** Why a frame without a source opens nothing. */
export function noSourceText(frame: FlameFrame): string {
  return hasFile(frame) ? 'Where this function is in its file is not known.' : 'This frame has no source file.';
}

function hasFile({ url }: FlameFrame): boolean {
  return url !== '' && !url.startsWith('node:');
}

/** One sentence for a screen reader. */
export function frameSentence(
  frame: FlameFrame,
  whole: Whole,
  folders: readonly string[],
  colors: PaintKind = 'category',
): string {
  const { diff } = frame;
  const time = timeText(frame.value, whole);
  const part = share(frame.value, whole.totalUs);
  const parts = [
    frameName(frame),
    ...(diff === undefined ? [] : [changedTimes(diff)]),
    ...(isCaller(frame) ? [`${time}, ${part}`] : [`${time} total, ${part}`, `${timeText(frame.selfUs, whole)} self`]),
    foldedText(frame),
    ...(frame.id === '' ? [] : [paintText(frame, colors)]),
    framePlace(frame, folders),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** The meaning of a frame's colour: `Your code`, `TurboFan, inlined`. */
export function paintText(frame: FlameFrame, colors: PaintKind): string {
  if (colors === 'change') return changeNames[frame.diff?.change ?? 'none'];
  return colors === 'tier' ? tierText(frame) : groupOf(frame.category).label;
}

/** A text such as `TurboFan, inlined`. */
export function tierText(frame: FlameFrame): string {
  const osr = mostly(frame, 'osr') ? ['entered in a loop'] : [];
  return [tierLabel(tierOf(frame.tiers)), ...(isInlined(frame) ? ['inlined'] : []), ...osr].join(', ');
}

export function tierLabel(tier: V8Tier): string {
  return tier === 'unknown' ? 'Unknown' : v8TierNames[tier];
}

/** A text such as `Ignition 20 % · TurboFan 80 %`; null where there is only one tier. */
export function tierSplit({ tiers, value }: FlameFrame): string | null {
  if (tiers === undefined) return null;
  const parts = v8Tiers
    .filter((tier) => tiers[tier] > 0)
    .map((tier) => `${tierLabel(tier)} ${share(tiers[tier], value)}`);
  return parts.length < 2 ? null : parts.join(' · ');
}

/** Whether the frame was inlined most of the time. */
export function isInlined(frame: FlameFrame): boolean {
  return mostly(frame, 'inlined');
}

function mostly({ tiers, value }: FlameFrame, mark: 'inlined' | 'osr'): boolean {
  return tiers !== undefined && tiers[mark] * 2 > value;
}

/** Whether a frame stands out. The tier with the most time decides for a merged frame. */
export function isHighlighted({ tiers }: FlameFrame, highlight: FlameHighlight): boolean {
  if (highlight === 'none') return false;
  const shown: readonly V8Tier[] = highlight === 'optimized' ? optimizedTiers : notOptimizedTiers;
  return shown.includes(tierOf(tiers));
}

/** A share such as `41 %`, `0.4 %` or `<0.1 %`; `0 %` of an empty whole. */
export function share(part: number, whole: number): string {
  if (part <= 0 || whole <= 0) return '0 %';
  const percent = (100 * part) / whole;
  if (percent < 0.1) return '<0.1 %';
  return `${percent >= 9.95 ? Math.round(percent) : Number(percent.toFixed(1))} %`;
}

/** Counts functions that a list leaves out: `120 more functions. 340 functions of folded kinds are not listed.` */
export function notListed(more: number, folded: number): string {
  const parts = [
    ...(more > 0 ? [`${plural(more, 'more function')}.`] : []),
    ...(folded > 0 ? [`${plural(folded, 'function')} of folded kinds ${folded === 1 ? 'is' : 'are'} not listed.`] : []),
  ];
  return parts.join(' ');
}

/** Whether a frame matches the search, or has a match folded into it; null without a search. */
export function frameMatcher(found: FlameSearchAnswer | null): ((frame: FlameFrame) => boolean) | null {
  if (found?.type !== 'found') return null;
  const [functionIds, categories, bars] = [new Set(found.functionIds), new Set(found.categories), new Set(found.bars)];
  return (frame) => {
    const { id, foldId, functionId, category } = frame;
    if (isBar(frame)) return bars.has(foldId ?? id);
    return functionId >= 0 ? functionIds.has(functionId) : id !== '' && categories.has(category);
  };
}
