import { groupOf, type PaintKind } from './paint.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { type FlameFrame, tierOf } from '../../protocol/flame.ts';
import { duration, functionFigures, plural, withLine, v8TierNames } from '../../words/formats/figures.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { FlameHighlight } from '../../protocol/webview.ts';
import { type V8Tier, notOptimizedTiers, optimizedTiers, v8Tiers } from '../../protocol/v8-tiers.ts';
import { changedTimes, changeNames } from '../../words/formats/diff-texts.ts';

/** The name on the frame. The root has no name of its own. */
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
  const folder = folders.map((path) => `${decoded(path)}/`).find((start) => whole.startsWith(start)) ?? '';
  const start = folders.length > 1 ? folder.lastIndexOf('/', folder.length - 2) + 1 : folder.length;
  const path = visible(clipStart(whole.slice(start), 120), 500);
  return frame.line > 0 || isFile.test(frame.url) ? withLine(path, frame.line) : path;
}

const isFile = /^(file:|\/|[a-z]:[/\\])/i;

/** The path that a `file:` url stands for; any other url unchanged. */
function decoded(url: string): string {
  if (!url.startsWith('file://')) return url;
  const path = url.slice('file://'.length);
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // The url is not percent-encoded.
  }
}

function clipStart(text: string, most: number): string {
  return text.length > most ? `…${text.slice(-most)}` : text;
}

/** The figures of the frame's function as a culprit, in the words that are used everywhere; `''` where it is none. */
export function frameFigures(
  { figures, firstTime }: Pick<FlameFrame, 'figures' | 'firstTime'>,
  thresholdUs: Microseconds,
): string {
  if (figures === undefined) return '';
  const shown = { ...figures, firstTime: firstTime ?? null, tone: 'plain' } as const;
  return visible(functionFigures(shown, thresholdUs), 300);
}

/**
 * The time that stands on a frame: `312 ms`, and in a diff also what it was where it has changed. A folded bar has its
 * share besides.
 */
export function frameTime({ value, diff, folded }: FlameFrame, totalUs: number): string {
  if (diff !== undefined && diff.change !== 'none') return changedTimes(diff);
  const time = duration(microseconds(value));
  if (folded?.type === 'outside') return ''; // Its name begins with its share.
  if (folded?.type === 'others') return `${time} · ${share(value, totalUs)}`;
  return folded?.type !== 'recursion' ? time : `${time} · ${folded.levels} levels`;
}

/** A wish to unfold a frame, or to fold what was unfolded with it. */
export interface Refolding {
  readonly type: 'unfold' | 'fold';
  readonly id: string;
}

/** Null where there is nothing to unfold, or to fold. */
export function refoldingOf(frame: FlameFrame | undefined, type: Refolding['type']): Refolding | null {
  if (type === 'unfold')
    return frame?.folded === undefined || frame.folded.type === 'small' ? null : { type, id: frame.foldId ?? frame.id };
  return frame?.unfolded === undefined ? null : { type, id: frame.unfolded };
}

/** Whether a frame stands for code of others that is folded into it. */
export function isBar({ folded }: Pick<FlameFrame, 'folded'>): boolean {
  return folded?.type === 'others' || folded?.type === 'outside';
}

/** Whether a frame is the one beside own code, for everything that runs outside of it. */
export function isOutside({ folded }: Pick<FlameFrame, 'folded'>): boolean {
  return folded?.type === 'outside';
}

/** What a frame stands for besides itself, such as `1020 folded frames`; `''` where it is itself alone. */
export function foldedText({ folded }: FlameFrame): string {
  if (folded === undefined) return '';
  if (folded.type === 'recursion') return `calls itself on ${folded.levels} levels`;
  return folded.type === 'small' ? '' : plural(folded.frames, 'folded frame');
}

/** Whether a frame's function can be looked at alone: in its worst operation, in a diff in all of its operations. */
export function canBeAlone({ figures, diff, functionId }: FlameFrame): boolean {
  return figures !== undefined || (diff !== undefined && functionId >= 0);
}

/** Whether there is a file to open: Node's own modules and native functions have none. */
export function hasSource(frame: FlameFrame): boolean {
  return frame.url !== '' && !frame.url.startsWith('node:') && frame.line > 0;
}

/** One sentence for a screen reader. */
export function frameSentence(
  frame: FlameFrame,
  totalUs: number,
  folders: readonly string[],
  colors: PaintKind = 'category',
): string {
  const { diff } = frame;
  const parts = [
    frameName(frame),
    ...(diff === undefined ? [] : [changedTimes(diff)]),
    `${duration(microseconds(frame.value))} total, ${share(frame.value, totalUs)}`,
    `${duration(frame.selfUs)} self`,
    foldedText(frame),
    ...(frame.id === '' ? [] : [paintText(frame, colors)]),
    framePlace(frame, folders),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** What the paint says about a frame: `Your code`, `TurboFan, inlined`. */
export function paintText(frame: FlameFrame, colors: PaintKind): string {
  if (colors === 'change') return changeNames[frame.diff?.change ?? 'none'];
  return colors === 'tier' ? tierText(frame) : groupOf(frame.category).label;
}

/** A text such as `TurboFan, inlined`. */
export function tierText(frame: FlameFrame): string {
  const osr = mostly(frame, 'osr') ? ['entered in a loop'] : [];
  return [tierLabel(tierOf(frame.tiers)), ...(isInlined(frame) ? ['inlined'] : []), ...osr].join(', ');
}

/** The name of a tier where it stands alone. */
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

/** Whether a frame stands out. A merged frame counts by the tier that it was in most of the time. */
export function isHighlighted({ tiers }: FlameFrame, highlight: FlameHighlight): boolean {
  return highlighted[highlight].includes(tierOf(tiers));
}

const highlighted: Readonly<Record<FlameHighlight, readonly V8Tier[]>> = {
  none: [],
  optimized: optimizedTiers,
  notOptimized: notOptimizedTiers,
};

function mostly({ tiers, value }: FlameFrame, mark: 'inlined' | 'osr'): boolean {
  return tiers !== undefined && tiers[mark] * 2 > value;
}

/** A share such as `41 %`, `0.4 %` or `<0.1 %`. It is `0 %` where the whole is empty. */
export function share(part: number, whole: number): string {
  if (part <= 0 || whole <= 0) return '0 %';
  const percent = (100 * part) / whole;
  if (percent < 0.1) return '<0.1 %';
  return `${percent >= 9.95 ? Math.round(percent) : Number(percent.toFixed(1))} %`;
}
