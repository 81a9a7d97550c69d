import type { DiffView } from '../../protocol/diff.ts';
import { type FlameAnswer, type FlameFrame, frameCategories, type FunctionList } from '../../protocol/flame.ts';
import { microseconds } from '../../protocol/units.ts';
import { differenceText, perText } from '../../words/formats/diff-texts.ts';
import { codeSpan, escapeSentence, withPlacesAsCode, visible } from '../../words/formats/foreign-text.ts';
import { worstTime } from '../../words/formats/figures.ts';
import { listFrames, findPath } from '../basics/blocks.ts';
import { frameName, framePlace, isBar, notListed, share, timeText } from '../basics/frame-text.ts';
import type { State } from '../basics/page-state.ts';
import { categoryGroups, selfTime } from '../basics/paint.ts';
import { heldTime, partText, verdictText } from '../basics/time-text.ts';

/** Functions in the table. */
const MAX_ROWS = 15;

/**
 * What is shown, as Markdown for an issue or a chat: the headline figures, and the functions with the most self time.
 * `list` has them if everything is shown; null counts them in the drawn frames.
 */
export function pageMarkdown(state: State, answer: FlameAnswer, list: FunctionList | null): string {
  const { title, folders } = state.recording ?? { title: '', folders: [] };
  const frame = shownFrame(answer, state.shown.zoom);
  const isDiff = answer.diff !== undefined;
  const rank = ({ selfUs, wasUs, isUs }: DrawnFunction): number => (isDiff ? Math.abs(isUs - wasUs) : selfUs);
  const functions =
    list === null
      ? drawnFunctions(frame).toSorted((a, b) => rank(b) - rank(a))
      : list.rows.map((row) => added(undefined, row, true));
  const sections = [
    `### Hotspan: ${escapeSentence(title)}`,
    withPlacesAsCode(verdictText(state, Date.now())),
    shownFacts(state, answer).map(escapeSentence).join(' · '),
    isDiff ? '' : kindsText(answer),
    writeTable(functions.slice(0, MAX_ROWS), answer, folders),
    answer.diff === undefined ? '' : sideTexts[answer.diff.view],
    list === null
      ? hiddenText(frame, answer)
      : notListed(Math.max(0, list.rows.length - MAX_ROWS) + list.more, list.folded),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** What the functions of a diff's view leave out. */
const sideTexts: Readonly<Record<DiffView, string>> = {
  now: 'What has no sample now is not in this table.',
  before: 'What had no sample before is not in this table.',
  gone: 'Only what has no sample now is in this table.',
  new: 'Only what had no sample before is in this table.',
};

const usualHead = ['Self', 'Total', 'Worst', 'Function', 'Where'];
const diffHead = ['Self before', 'Self now', 'Difference', 'Function', 'Where'];

function writeTable(functions: readonly DrawnFunction[], answer: FlameAnswer, folders: readonly string[]): string {
  if (functions.length === 0) return '';
  const isDiff = answer.diff !== undefined;
  const timeOf = (us: number): string => timeText(us, answer);
  const rows = functions.map(({ frame, selfUs, totalUs, wasUs, isUs }) => {
    const worst = frame.figures === undefined ? '–' : worstTime(frame.figures);
    const figures = isDiff
      ? [timeOf(wasUs), timeOf(isUs), differenceText(microseconds(isUs - wasUs))]
      : [timeOf(selfUs), timeOf(totalUs), worst];
    // Names are untrusted: as code, nothing in them becomes markup, and they can be copied.
    const name = `${codeSpan(frameName(frame), 'table')}${isBar(frame) ? ' (folded)' : ''}`;
    const place = framePlace(frame, folders);
    return [...figures, name, place === '' ? '' : codeSpan(place, 'table')];
  });
  const head = isDiff ? diffHead : usualHead;
  const rule = head.map((_, column) => (column < 3 ? '--:' : '---'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The kinds of code with their shares: `Your code 62 % · Dependencies 20 %`. */
function kindsText(answer: FlameAnswer): string {
  const all = selfTime(answer, frameCategories);
  return categoryGroups
    .map(({ label, categories }) => ({ label, us: selfTime(answer, categories) }))
    .filter(({ us }) => us > 0)
    .map(({ label, us }) => `${label} ${share(us, all)}`)
    .join(' · ');
}

function hiddenText(frame: FlameFrame, answer: FlameAnswer): string {
  const hidden = listFrames(frame).reduce((sum, { hiddenUs }) => sum + hiddenUs, 0);
  return hidden < 5
    ? ''
    : `${timeText(hidden, answer)} are in frames that are too small to draw, and not in this table.`;
}

/** A function in the drawn frames, or a bar of folded ones. Times are in µs. */
interface DrawnFunction {
  /** Its first frame. */
  readonly frame: FlameFrame;
  readonly selfUs: number;
  /** Each µs counts once, however often the function calls itself. */
  readonly totalUs: number;
  /** Self times of both sides of a diff; otherwise 0. */
  readonly wasUs: number;
  readonly isUs: number;
}

/** The functions of a frame and of all frames below it, each once. The root is not a function. */
function drawnFunctions(root: FlameFrame): readonly DrawnFunction[] {
  const functions = new Map<string, DrawnFunction>();
  const visit = (frame: FlameFrame, callers: ReadonlySet<string>, caller: string): void => {
    // A collection is self time of the function that it interrupted.
    const key = frame.category === 'gc' && caller !== '' ? caller : functionKey(frame);
    if (frame.id !== '') functions.set(key, added(functions.get(key), frame, !callers.has(key)));
    for (const child of frame.children.toReversed()) visit(child, new Set([...callers, key]), key);
  };
  visit(root, new Set(), '');
  return [...functions.values()];
}

function added(known: DrawnFunction | undefined, frame: FlameFrame, isOutermost: boolean): DrawnFunction {
  const { selfUs, value, diff } = frame;
  return {
    frame: known?.frame ?? frame,
    selfUs: (known?.selfUs ?? 0) + selfUs,
    totalUs: (known?.totalUs ?? 0) + (isOutermost ? value : 0),
    wasUs: (known?.wasUs ?? 0) + (diff?.was.selfUs ?? 0),
    isUs: (known?.isUs ?? 0) + (diff?.is.selfUs ?? 0),
  };
}

/** Bars of one owner are one function. */
function functionKey(frame: FlameFrame): string {
  const { id, functionId, name, category } = frame;
  if (id === '') return '';
  return functionId >= 0 && !isBar(frame) ? String(functionId) : `${category} ${name}`;
}

/** Which part of a recording is shown, in a few words each: `100 ms in all`, `zoomed to handler: 62 ms, 62 %`. */
export function shownFacts(
  { shown: choices, timeline }: Pick<State, 'shown' | 'timeline'>,
  answer: FlameAnswer,
): readonly string[] {
  const { operation, totalUs, diff, callers } = answer;
  const frame = shownFrame(answer, choices.zoom);
  const time = timeText(totalUs, answer);
  const times = `${timeText(frame.value, answer)}, ${share(frame.value, totalUs)} of all`;
  const part = operation !== undefined || timeline === null ? '' : partText(choices.part, timeline);
  return [
    ...(part === '' ? [] : [part]),
    ...(diff === undefined ? [part === '' ? `${time} in all` : `${time} in this part of the run`] : [perText(diff)]),
    ...(operation === undefined ? [] : [operationFact(operation)]),
    ...(callers !== undefined ? [`callers and callees of ${frameName(frame)}: ${times}`] : []),
    ...(callers === undefined && frame.id !== '' ? [`zoomed to ${frameName(frame)}: ${times}`] : []),
  ];
}

/** The zoomed frame, or the function whose callees are shown; otherwise the root. */
function shownFrame({ root, callers }: FlameAnswer, zoom: string): FlameFrame {
  return callers === undefined ? (findPath(root, zoom).at(-1) ?? root) : root;
}

function operationFact({ durationUs: heldUs, estimated, test }: NonNullable<FlameAnswer['operation']>): string {
  const where = test === null ? '' : `, in the test "${visible(test, 200)}"`;
  return `one operation alone, which held the event loop for ${heldTime({ heldUs, estimated })}${where}`;
}
