import type { FlameAnswer, FlameFrame, FunctionList } from '../../protocol/flame.ts';
import { differenceText, perText } from '../../words/formats/diff-texts.ts';
import { codeSpan, escapeSentence, withPlacesAsCode } from '../../words/formats/escape-markdown.ts';
import { duration, plural, worstTime } from '../../words/formats/figures.ts';
import { frameName, framePlace, isBar, share } from '../basics/frame-text.ts';
import { categoryGroups } from '../basics/paint.ts';
import { microseconds } from '../../protocol/units.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { wayTo } from '../basics/blocks.ts';
import type { State } from '../basics/page-state.ts';
import { partText } from '../basics/time-text.ts';

/** Most functions in the table. */
const mostRows = 15;

/**
 * What is shown, as Markdown for an issue or a chat: the headline figures, and the functions with most time of their
 * own. `list` has them where everything is shown; null where they are counted in the frames that are drawn.
 */
export function pageMarkdown(state: State, answer: FlameAnswer, list: FunctionList | null): string {
  const { title, verdict, folders } = state.recording ?? { title: '', verdict: '', folders: [] };
  const frame = shownFrame(answer, state.shown.zoom);
  const isDiff = answer.diff !== undefined;
  const sections = [
    `### Hotspan: ${escapeSentence(title)}`,
    withPlacesAsCode(verdict),
    shownFacts(state, answer)
      .map((fact) => escapeSentence(fact))
      .join(' · '),
    isDiff ? '' : kindsText(answer),
    list !== null
      ? tableOf(
          usualHead,
          list.rows.slice(0, mostRows).map((row) => usualRow(row, row.selfUs, row.value, folders)),
        )
      : isDiff
        ? diffTable(frame, folders)
        : drawnTable(frame, folders),
    list === null ? hiddenText(frame) : moreText(list),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

const usualHead = ['Self', 'Total', 'Worst', 'Function', 'Where'];
const diffHead = ['Self before', 'Self now', 'Difference', 'Function', 'Where'];

function drawnTable(root: FlameFrame, folders: readonly string[]): string {
  const functions = drawnFunctions(root).toSorted((a, b) => b.selfUs - a.selfUs);
  const rows = functions.slice(0, mostRows);
  return tableOf(
    usualHead,
    rows.map(({ frame, selfUs, totalUs }) => usualRow(frame, selfUs, totalUs, folders)),
  );
}

function diffTable(root: FlameFrame, folders: readonly string[]): string {
  const functions = drawnFunctions(root).toSorted((a, b) => Math.abs(b.isUs - b.wasUs) - Math.abs(a.isUs - a.wasUs));
  const rows = functions.slice(0, mostRows).map(({ frame, wasUs, isUs }) => {
    const [was, is] = [microseconds(wasUs), microseconds(isUs)];
    return [duration(was), duration(is), differenceText(microseconds(isUs - wasUs)), ...nameCells(frame, folders)];
  });
  return tableOf(diffHead, rows);
}

function usualRow(frame: FlameFrame, selfUs: number, totalUs: number, folders: readonly string[]): readonly string[] {
  const worst = frame.figures === undefined ? '–' : worstTime(frame.figures);
  return [duration(microseconds(selfUs)), duration(microseconds(totalUs)), worst, ...nameCells(frame, folders)];
}

/** A name of a stranger is code, too: nothing in it becomes markup, and it can be copied. */
function nameCells(frame: FlameFrame, folders: readonly string[]): readonly [name: string, place: string] {
  const place = framePlace(frame, folders);
  const note = isBar(frame) ? ' (folded)' : '';
  return [`${codeSpan(frameName(frame), 'table')}${note}`, place === '' ? '' : codeSpan(place, 'table')];
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const rule = head.map((_, column) => (column < 3 ? '--:' : '---'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The kinds of code with their shares: `Your code 62 % · Dependencies 20 %`. */
function kindsText({ selfByCategory }: FlameAnswer): string {
  const all = Object.values(selfByCategory).reduce((sum, time) => sum + time, 0);
  return categoryGroups
    .map(({ label, categories }) => ({ label, us: categories.reduce((sum, one) => sum + selfByCategory[one], 0) }))
    .filter(({ us }) => us > 0)
    .map(({ label, us }) => `${label} ${share(us, all)}`)
    .join(' · ');
}

function moreText({ rows, more, folded }: FunctionList): string {
  const left = Math.max(0, rows.length - mostRows) + more;
  const parts = [
    ...(left > 0 ? [`${plural(left, 'more function')}.`] : []),
    ...(folded > 0 ? [`${plural(folded, 'function')} of folded kinds ${folded === 1 ? 'is' : 'are'} not listed.`] : []),
  ];
  return parts.join(' ');
}

function hiddenText(frame: FlameFrame): string {
  const hidden = hiddenBelow(frame);
  if (hidden < 5) return '';
  return `${duration(microseconds(hidden))} are in frames that are too small to be drawn, and in no row.`;
}

/** A function in the frames that are drawn, or a bar of folded ones. Times are in µs. */
interface DrawnFunction {
  /** Its first frame, with its name and its place. */
  readonly frame: FlameFrame;
  readonly selfUs: number;
  /** Each µs counts once, however often the function calls itself. */
  readonly totalUs: number;
  /** Self times of both sides in a diff; else 0. */
  readonly wasUs: number;
  readonly isUs: number;
}

/** The functions below a frame and itself, each once. The root stands for no function. */
function drawnFunctions(root: FlameFrame): readonly DrawnFunction[] {
  const functions = new Map<string, DrawnFunction>();
  const open = new Map<string, number>();
  const left: { readonly frame: FlameFrame; readonly isLeft: boolean }[] = [{ frame: root, isLeft: false }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { frame, isLeft } = next;
    const key = keyOf(frame);
    const depth = open.get(key) ?? 0;
    open.set(key, isLeft ? depth - 1 : depth + 1);
    if (isLeft) continue;
    if (frame.id !== '') functions.set(key, added(functions.get(key), frame, depth === 0));
    left.push({ frame, isLeft: true }, ...frame.children.map((child) => ({ frame: child, isLeft: false })));
  }
  return [...functions.values()];
}

/** Time of all that is too small to be drawn below a frame, in µs. */
function hiddenBelow(root: FlameFrame): number {
  const left = [root];
  let hidden = 0;
  for (let frame = left.pop(); frame !== undefined; frame = left.pop()) {
    hidden += frame.hiddenUs;
    for (const child of frame.children) left.push(child);
  }
  return hidden;
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

/** Bars have functions of others in them: each owner is one. */
function keyOf(frame: FlameFrame): string {
  const { id, functionId, name, category } = frame;
  if (id === '') return '';
  return functionId >= 0 && !isBar(frame) ? String(functionId) : `${category} ${name}`;
}

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
function shownFrame({ root, callers }: FlameAnswer, zoom: string): FlameFrame {
  return callers === undefined ? (wayTo(root, zoom).at(-1) ?? root) : root;
}

function operationFact({ durationUs, test }: NonNullable<FlameAnswer['operation']>): string {
  const where = test === null ? '' : `, in the test "${visible(test, 200)}"`;
  return `one operation alone, which held the event loop for ${duration(durationUs)}${where}`;
}
