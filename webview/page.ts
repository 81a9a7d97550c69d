import { defaultThresholdUs } from '../protocol/figures.ts';
import { diffViews } from '../protocol/diff.ts';
import { type FlameAnswer, type FlameFrame, smallId } from '../protocol/flame.ts';
import type { FlameView, TakenForm } from '../protocol/webview.ts';
import { type Block, makeBlocks, findPath } from './basics/blocks.ts';
import { element } from './basics/dom.ts';
import { frameMatcher, frameName, frameSentence, hasSource, isHighlighted, noSourceText } from './basics/frame-text.ts';
import type { Actions, FrameActions, PagePart, State } from './basics/page-state.ts';
import { fillPatterns } from './basics/paint.ts';
import { Card } from './card.ts';
import { FunctionTable } from './function-table.ts';
import { type Drawing, ROW_HEIGHT } from './graph.ts';
import { AroundView, GraphView } from './graph-view.ts';
import { diffBar, legendBar, TierBar, breadcrumb, noticeBar, operationBar } from './bars.ts';
import { OperationsView } from './operations-view.ts';
import { TimeStrip } from './time-strip.ts';
import { Toolbar } from './toolbar.ts';
import { FrameTable } from './tree-table.ts';

/** The whole page: draws a state, and turns what the person does into events. */
export class Page {
  readonly #actions: Actions;
  readonly #toolbar: Toolbar;
  readonly #legend: PagePart;
  /** From top to bottom. */
  readonly #parts: readonly PagePart[];
  readonly #views: Readonly<Record<FlameView, View>>;
  readonly #card = new Card();
  readonly #progress = element('div', { class: 'progress', 'aria-hidden': 'true' });
  readonly #stage = element('section', { class: 'stage', 'aria-label': 'Frames' });
  /** Announces what is not visible on the page, such as that a frame has no source. */
  readonly #announcement = element('div', { class: 'unseen', role: 'status' });
  #state: State | null = null;
  #drawing: Drawing | null = null;
  #blocks: Blocks | null = null;
  #shown: FlameView | null = null;
  /** Whether only wide frames on screen are drawn, until the answer to a zoom. */
  #isRough = false;
  /** Whether something found is not drawn yet. */
  #isDue = false;
  /** The last `arrivals` of the state that has got the focus. */
  #arrived = 0;

  constructor(parent: HTMLElement, actions: Actions, takeAway: (form: TakenForm) => void) {
    this.#actions = actions;
    const zoom = (id: string): void => {
      if (id !== smallId) actions.dispatch({ type: 'zoom', zoom: id });
    };
    const frameActions: FrameActions = {
      ...{ ...actions, zoom },
      open: (frame) => this.#open(frame),
      point: (frame, box) => this.#point(frame, box),
    };
    this.#toolbar = new Toolbar(actions, takeAway);
    this.#legend = legendBar(actions);
    this.#parts = [
      ...[this.#toolbar, new TimeStrip(actions), new TierBar(actions), diffBar(actions)],
      ...[operationBar(actions), this.#legend, breadcrumb(zoom), noticeBar(actions)],
    ];
    this.#views = {
      graph: new GraphView(frameActions),
      operations: new OperationsView(frameActions),
      around: new AroundView(frameActions),
      functions: new FunctionTable(frameActions),
      tree: new FrameTable(frameActions),
    };
    this.#stage.append(...Object.values(this.#views).map((view) => view.element));
    const parts = this.#parts.map((part) => part.element);
    const main = element('main', {}, ...parts, this.#progress, this.#stage, this.#card.element);
    parent.append(main, this.#announcement, fillPatterns());
    document.addEventListener('keydown', (event) => this.#key(event));
    window.addEventListener('focus', () => this.#arrive());
    new ResizeObserver(() => actions.dispatch({ type: 'resize', width: this.#stage.clientWidth })).observe(this.#stage);
  }
  update(state: State): void {
    const before = this.#state;
    this.#state = state;
    for (const part of this.#parts) part.update(state);
    this.#stage.setAttribute('aria-busy', String(state.awaited.query !== null));
    this.#progress.hidden = state.awaited.query === null && state.notice?.kind !== 'loading';
    const answer = state.answer !== null && state.answer.totalUs > 0 ? state.answer : null;
    this.#legend.element.hidden = answer === null;
    if (answer === null) this.#card.hide();
    const shown = answer === null ? null : shownView(state, answer);
    for (const [name, view] of Object.entries(this.#views)) view.element.hidden = name !== shown;
    const isRough = shown === 'graph' && isAnswerAwaited(before, state, this.#isRough);
    const isAnswered = state.awaited.query === null;
    // What a search has found is drawn with the frames around the heaviest match, which are on their way.
    this.#isDue ||= before?.found !== state.found;
    const hasToDraw = hasChanged(before, state) || isRough !== this.#isRough || (this.#isDue && isAnswered);
    if (answer === null || shown === null || state.width === 0 || !hasToDraw) return;
    this.#isDue = false;
    this.#isRough = isRough;
    this.#drawing = makeDrawing(state, answer, this.#blocksOf(state, answer));
    this.#views[shown].draw(this.#drawing, answer, state);
    if (this.#shown !== shown || before?.choices.around !== state.choices.around) this.#views[shown].reveal();
    if (this.#shown !== shown) for (const [name, view] of Object.entries(this.#views)) if (name !== shown) view.clear();
    this.#shown = shown;
    if (before?.at !== state.at) this.#announceMatch(answer, state);
    this.#arrive();
  }

  /** Those of the last drawing where it had the same frames: then only their marks are drawn again. */
  #blocksOf({ shown: { zoom }, choices: { direction }, width }: State, answer: FlameAnswer): Blocks {
    const last = this.#blocks;
    if (!this.#isRough && last?.answer === answer && last.zoom === zoom && !last.isRough) return last;
    const zoomedUs = (findPath(answer.root, zoom).at(-1) ?? answer.root).value;
    // Rows that grow up from the zoomed frame would move it when the others are there.
    const rows = direction === 'icicle' ? Math.ceil(this.#stage.clientHeight / ROW_HEIGHT) + 1 : Infinity;
    const shown = { leastUs: (ROUGH_WIDTH * zoomedUs) / width, rows };
    const root = makeBlocks(answer, zoom, this.#isRough ? shown : undefined);
    this.#blocks = { answer, zoom, isRough: this.#isRough, zoomedUs, root };
    return this.#blocks;
  }

  /** Moves the focus to what the extension asked to show, once it is drawn and the panel has the focus. */
  #arrive(): void {
    const { arrivals = 0, awaited } = this.#state ?? {};
    if (arrivals === this.#arrived || awaited?.query !== null || this.#shown === null || !document.hasFocus()) return;
    this.#arrived = arrivals;
    const { activeElement } = document;
    if (activeElement !== null && activeElement !== document.body) return;
    const view = this.#views[this.#shown];
    if (view.arrive === undefined) view.focus();
    else view.arrive();
  }

  /** Announces the current match: the focus stays in the search box. */
  #announceMatch(answer: FlameAnswer, { at, recording }: State): void {
    const frame = at === null ? undefined : findPath(answer.root, at.id).at(-1);
    const text = frame === undefined ? '' : frameSentence(frame, answer, recording?.folders ?? []);
    this.#announcement.textContent = text;
  }

  #point(frame: FlameFrame | null, box: DOMRect | null): void {
    if (frame === null || box === null || this.#drawing === null) this.#card.hide();
    else this.#card.show(frame, box, this.#drawing);
  }

  #open(frame: FlameFrame): void {
    const { url, line, functionId } = frame;
    if (!hasSource(frame)) this.#announcement.textContent = noSourceText(frame);
    else if (frame.diff?.onlyBefore === true) this.#actions.post({ type: 'openBefore', functionId });
    else this.#actions.post({ type: 'openSource', url, line });
  }

  #key(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'text';
    const isCommand = event.ctrlKey || event.metaKey;
    const isChoosing = event.target instanceof HTMLSelectElement; // A letter goes to the process with this name.
    const isPlain = !isTyping && !isChoosing && !isCommand && !event.altKey; // Alt with a number goes to an editor.
    if ((event.key === '/' && !isTyping) || (event.key === 'f' && isCommand)) this.#toolbar.search.focus();
    else if (event.key === 'Escape' && isTyping) {
      this.#toolbar.search.clear();
      this.#focusFrames();
    } else if (event.key === 'Escape' || (event.key === '0' && isPlain))
      this.#actions.dispatch({ type: 'zoom', zoom: '' });
    else if (isPlain && this.#keyInTime(event.key.toLowerCase())) event.preventDefault();
    else if (isPlain && this.#chooseSide(event.key)) return;
    else if (event.key.startsWith('Arrow') && event.target === document.body) this.#focusFrames();
    else return;
    event.preventDefault();
  }

  /** J and K go to the next and the previous long operation; T switches between time order and by time. */
  #keyInTime(key: string): boolean {
    const { dispatch } = this.#actions;
    if (key === 'j') dispatch({ type: 'stepOperation', step: 1 });
    else if (key === 'k') dispatch({ type: 'stepOperation', step: -1 });
    else if (key === 't' && this.#shown === 'operations') dispatch({ type: 'inTime', isInTime: null });
    else return false;
    return true;
  }

  /** In a diff, 1 to 4 choose whose times are shown. */
  #chooseSide(key: string): boolean {
    const side = this.#state?.recording?.isDiff === true ? diffViews[Number(key) - 1] : undefined;
    if (side !== undefined) this.#actions.dispatch({ type: 'choose', choices: { side } });
    return side !== undefined;
  }

  #focusFrames(): void {
    this.#views[this.#shown ?? 'graph'].focus();
  }
}

/** One way to look at an answer. */
interface View {
  readonly element: HTMLElement;
  readonly draw: (drawing: Drawing, answer: FlameAnswer, state: State) => void;
  /** Scrolls to the current frame or row. */
  readonly reveal: () => void;
  readonly focus: () => void;
  /** Moves the focus to what the page was opened for; absent where `focus` does that. */
  readonly arrive?: () => void;
  /** Removes the frames or rows from the page, because another view is shown. */
  readonly clear: () => void;
}

/** The view that the answer is for. A newly chosen view appears when its own answer arrives. */
function shownView({ choices }: State, { callers, functions, operations }: FlameAnswer): FlameView {
  if (operations !== undefined) return 'operations';
  if (callers !== undefined) return 'around';
  if (functions !== undefined) return 'functions';
  return choices.view === 'tree' ? 'tree' : 'graph';
}

/** Whether anything has changed that is visible in the frames. */
function hasChanged(before: State | null, now: State): boolean {
  if (before === null || before.shown.zoom !== now.shown.zoom) return true;
  return (
    (['answer', 'width', 'at'] as const).some((key) => before[key] !== now[key]) ||
    (['direction', 'view', 'highlight'] as const).some((choice) => before.choices[choice] !== now.choices[choice])
  );
}

/**
 * Whether the frames of a zoom are those from before it. Then only the wide ones on screen are drawn: the answer has
 * others, and is there a moment later.
 */
function isAnswerAwaited(before: State | null, { answer, awaited, shown }: State, isRough: boolean): boolean {
  if (awaited.query === null || before === null || before.answer !== answer) return false;
  return isRough || before.shown.zoom !== shown.zoom;
}

/** In px. */
const ROUGH_WIDTH = 8;

/** The blocks of an answer, and what they were made from. */
interface Blocks {
  readonly answer: FlameAnswer;
  readonly zoom: string;
  readonly isRough: boolean;
  readonly zoomedUs: number;
  readonly root: Block;
}

function makeDrawing(state: State, answer: FlameAnswer, { root, zoomedUs, isRough }: Blocks): Drawing {
  const { choices, width, found, at, chosen } = state;
  const { thresholdUs, folders } = state.recording ?? { thresholdUs: defaultThresholdUs, folders: [] };
  const { totalUs, estimated, tiers, diff } = answer;
  const code = tiers?.type === 'recorded' ? tiers.code : null;
  const isHighlighting = choices.highlight !== 'none' && code !== null;
  return {
    ...{ root, isRough, width, totalUs, thresholdUs, folders, zoomedUs },
    ...(estimated === undefined ? {} : { estimated }),
    zoomedName: answer.callers === undefined ? 'the zoom' : frameName(answer.root),
    direction: choices.direction,
    foundId: at?.id ?? null,
    chosenId: chosen,
    isMatch: frameMatcher(found),
    isHighlighted: isHighlighting ? (frame) => isHighlighted(frame, choices.highlight) : null,
    // The colours of this answer: a new choice of colours waits for its own.
    colors: diff !== undefined ? 'change' : tiers === undefined ? 'category' : 'tier',
    code: new Map(code?.map((each) => [each.functionId, each])),
    per: diff === undefined ? null : diff.of === null ? 'per run' : 'per operation',
  };
}
