import { type FlameAnswer, type FlameCode, type FlameFrame, smallId } from '../protocol/flame.ts';
import type { FlameView, PageMessage, TakenForm } from '../protocol/webview.ts';
import { AroundView } from './around-view.ts';
import { blocksOf, wayTo } from './basics/blocks.ts';
import { Breadcrumb, OperationBar, NoticeView } from './status-lines.ts';
import { Card, type Scale } from './card.ts';
import { element } from './basics/dom.ts';
import { frameSentence, hasSource, isHighlighted } from './basics/frame-text.ts';
import type { Drawing } from './graph.ts';
import { GraphView } from './graph-view.ts';
import { Legend, TierBar } from './legend.ts';
import type { PageEvent, State } from './basics/page-state.ts';
import { listHandlers, OperationsView } from './operations-view.ts';
import { TimeStrip } from './time-strip.ts';
import { FunctionTable } from './function-table.ts';
import { frameMatcher } from './matches.ts';
import { FrameTable } from './tree-table.ts';
import { Toolbar } from './toolbar.ts';
import { fillPatterns, type PaintKind, swatch } from './basics/paint.ts';
import { diffViews, type FrameChange, frameChanges } from '../protocol/diff.ts';
import { defaultThresholdUs } from '../protocol/figures.ts';
import { changeNames, differenceText, perText, ruleText } from '../words/formats/diff-texts.ts';

export interface PageActions {
  readonly dispatch: (event: PageEvent) => void;
  readonly post: (message: PageMessage) => void;
  readonly readAgain: () => void;
  readonly profileAgain: () => void;
  readonly recordTiers: () => void;
  readonly openTiers: () => void;
  readonly openProfile: () => void;
  /** Copies or saves what is shown. */
  readonly takeAway: (form: TakenForm) => void;
}

/** The whole page: draws a state, and turns what the person does into events. */
export class Page {
  readonly #actions: PageActions;
  readonly #toolbar: Toolbar;
  readonly #legend: Legend;
  readonly #tierBar: TierBar;
  readonly #operation: OperationBar;
  readonly #diffBar: DiffBar;
  readonly #breadcrumb: Breadcrumb;
  readonly #notice: NoticeView;
  readonly #graph: GraphView;
  readonly #table: FrameTable;
  readonly #around: AroundView;
  readonly #functions: FunctionTable;
  readonly #operations: OperationsView;
  readonly #strip: TimeStrip;
  readonly #card = new Card();
  readonly #progress = element('div', { class: 'progress', 'aria-hidden': 'true' });
  readonly #stage = element('section', { class: 'stage', 'aria-label': 'Frames' });
  /** Announces what has no place on the page, such as that a frame has no source. */
  readonly #announcement = element('div', { class: 'unseen', role: 'status' });
  #state: State | null = null;
  #shown: FlameView | null = null;
  /** The number of the last arrival whose frame got the focus. */
  #arrived = 0;

  constructor(parent: HTMLElement, actions: PageActions) {
    this.#actions = actions;
    const zoom = (id: string): void => {
      if (id !== smallId) actions.dispatch({ type: 'zoom', zoom: id });
    };
    const open = (frame: FlameFrame): void => this.#open(frame);
    this.#notice = new NoticeView(actions);
    this.#toolbar = new Toolbar(actions.dispatch, actions.takeAway);
    this.#legend = new Legend(actions.dispatch);
    this.#tierBar = new TierBar(actions);
    this.#operation = new OperationBar(actions.dispatch);
    this.#diffBar = new DiffBar(actions.dispatch);
    this.#breadcrumb = new Breadcrumb(zoom);
    const openDeopt = ({ functionId }: FlameFrame): void => actions.post({ type: 'openDeopt', functionId, deopt: 0 });
    const showWorst = ({ functionId }: FlameFrame): void => actions.dispatch({ type: 'worst', functionId });
    const around = (functionId: number): void => actions.dispatch({ type: 'around', functionId });
    const refold = actions.dispatch;
    const point = (frame: FlameFrame | null, box: DOMRect | null): void => this.#point(frame, box);
    const handlers = { refold, open, openDeopt, showWorst, around, point };
    const showInGraph = (functionId: number): void => actions.dispatch({ type: 'showInGraph', functionId });
    this.#graph = new GraphView({ ...handlers, zoom });
    this.#around = new AroundView({ ...handlers, showInGraph });
    this.#functions = new FunctionTable({ open, around, sort: (by) => actions.dispatch({ type: 'sort', by }) });
    this.#operations = new OperationsView({ ...handlers, zoom, ...listHandlers(actions.dispatch) });
    this.#strip = new TimeStrip(actions.dispatch);
    this.#table = new FrameTable({ zoom, refold, open });
    this.#stage.append(...Object.values(this.#views).map((view) => view.element));
    const parts = this.#parts.map((part) => part.element);
    parent.append(
      element('main', {}, ...parts, this.#progress, this.#stage, this.#card.element),
      this.#announcement,
      fillPatterns(),
    );
    document.addEventListener('keydown', (event) => this.#key(event));
    window.addEventListener('focus', () => this.#arrive());
    new ResizeObserver(() => actions.dispatch({ type: 'resize', width: this.#stage.clientWidth })).observe(this.#stage);
  }

  get #parts(): readonly PagePart[] {
    const bars = [this.#tierBar, this.#diffBar, this.#operation, this.#legend, this.#breadcrumb, this.#notice];
    return [this.#toolbar, this.#strip, ...bars];
  }

  update(state: State): void {
    const before = this.#state;
    this.#state = state;
    for (const part of this.#parts) part.update(state);
    this.#stage.setAttribute('aria-busy', String(state.awaited.query !== null));
    this.#progress.hidden = state.awaited.query === null && state.notice?.kind !== 'loading';
    const answer = state.answer !== null && state.answer.totalUs > 0 ? state.answer : null;
    this.#legend.element.hidden = answer === null;
    const shown = answer === null ? null : shownView(state, answer);
    for (const [name, view] of Object.entries(this.#views)) view.element.hidden = name !== shown;
    if (answer === null || shown === null || state.width === 0 || !isDrawnAnew(before, state)) return;
    this.#drawView(shown, drawingOf(state, answer), answer, state);
    if (this.#shown !== shown || before?.choices.around !== state.choices.around) this.#views[shown].reveal();
    if (this.#shown !== shown) for (const [name, view] of Object.entries(this.#views)) if (name !== shown) view.clear();
    this.#shown = shown;
    if (before?.at !== state.at) this.#sayMatch(answer, state);
    this.#arrive();
  }

  /** Moves the focus to what was shown from elsewhere, once it is drawn and the panel has the focus. */
  #arrive(): void {
    const { arrivals = 0, awaited } = this.#state ?? {};
    if (arrivals === this.#arrived || awaited?.query !== null || this.#shown === null || !document.hasFocus()) return;
    this.#arrived = arrivals;
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) this.#views[this.#shown].arrive();
  }

  get #views(): Readonly<Record<FlameView, View>> {
    const [operations, around, functions] = [this.#operations, this.#around, this.#functions];
    return { graph: this.#graph, operations, around, functions, tree: this.#table };
  }

  #drawView(shown: FlameView, drawing: PageDrawing, answer: FlameAnswer, { shown: choices, recording }: State): void {
    const { callers, functions, operations } = answer;
    if (shown === 'around' && callers !== undefined) this.#around.draw(drawing, { ...answer, callers });
    else if (shown === 'functions' && functions !== undefined)
      this.#functions.draw({ ...drawing, list: functions, order: choices.order, isMatch: drawing.isFrameMatch });
    else if (shown === 'operations' && operations !== undefined) {
      const { operations: by, isInTime, part } = choices;
      const thresholdUs = recording?.thresholdUs ?? defaultThresholdUs;
      const isPart = part.lane !== null || part.range !== null;
      this.#operations.draw({ ...drawing, by, isInTime, isPart, thresholdUs }, { ...answer, operations });
    } else if (shown === 'tree') this.#table.draw(drawing);
    else this.#graph.draw(drawing);
  }

  /** The match that was gone to: the focus stays in the search box. */
  #sayMatch(answer: FlameAnswer, { at, recording }: State): void {
    const frame = at === null ? undefined : wayTo(answer.root, at.id).at(-1);
    const text = frame === undefined ? '' : frameSentence(frame, answer.totalUs, recording?.folders ?? []);
    this.#announcement.textContent = text;
  }

  #point(frame: FlameFrame | null, box: DOMRect | null): void {
    const answer = this.#state?.answer ?? null;
    if (frame === null || box === null || answer === null || this.#state === null) this.#card.hide();
    else this.#card.show(frame, box, scaleOf(this.#state, answer));
  }

  #open(frame: FlameFrame): void {
    const { url, line, functionId } = frame;
    if (!hasSource(frame)) this.#announcement.textContent = 'This frame has no source file.';
    else if (frame.diff?.onlyBefore === true) this.#actions.post({ type: 'openBefore', functionId });
    else this.#actions.post({ type: 'openSource', url, line });
  }

  #key(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'text';
    const isCommand = event.ctrlKey || event.metaKey;
    if ((event.key === '/' && !isTyping) || (event.key === 'f' && isCommand)) this.#toolbar.focusSearch();
    else if (event.key === 'Escape' && isTyping) this.#leaveSearch();
    else if (event.key === 'Escape' || (event.key === '0' && !isTyping && !isCommand))
      this.#actions.dispatch({ type: 'zoom', zoom: '' });
    else if (!isTyping && !isCommand && !event.altKey && this.#keyInTime(event.key)) event.preventDefault();
    else if (!isTyping && !isCommand && this.#chooseSide(event.key)) return;
    else if (event.key.startsWith('Arrow') && event.target === document.body) this.#focusFrames();
    else return;
    event.preventDefault();
  }

  /** J and K go from one long operation to the next; T draws one in time order, or by time. */
  #keyInTime(key: string): boolean {
    if (key === 'j') this.#actions.dispatch({ type: 'stepOperation', step: 1 });
    else if (key === 'k') this.#actions.dispatch({ type: 'stepOperation', step: -1 });
    else if (key === 't' && this.#shown === 'operations') this.#operations.turn();
    else return false;
    return true;
  }

  /** In a diff, 1 to 4 choose whose times are shown. */
  #chooseSide(key: string): boolean {
    const side = this.#state?.recording?.isDiff === true ? diffViews[Number(key) - 1] : undefined;
    if (side !== undefined) this.#actions.dispatch({ type: 'side', side });
    return side !== undefined;
  }

  #leaveSearch(): void {
    this.#toolbar.clearSearch();
    this.#focusFrames();
  }

  #focusFrames(): void {
    this.#views[this.#shown ?? 'graph'].focus();
  }
}

/** One way to look at an answer. */
interface View {
  readonly element: HTMLElement;
  /** Scrolls to what matters. */
  readonly reveal: () => void;
  readonly focus: () => void;
  /** Moves the focus to what the page was opened for. */
  readonly arrive: () => void;
  /** Takes what was drawn off the page: another view is shown. */
  readonly clear: () => void;
}

/** The view that the answer is for: another one that was chosen is shown as soon as its own answer is there. */
function shownView({ choices }: State, { callers, functions, operations }: FlameAnswer): FlameView {
  if (operations !== undefined) return 'operations';
  if (callers !== undefined) return 'around';
  if (functions !== undefined) return 'functions';
  return choices.view === 'tree' ? 'tree' : 'graph';
}

interface PagePart {
  readonly element: HTMLElement;
  readonly update: (state: State) => void;
}

/** Whether something has changed that is visible in the frames. */
function isDrawnAnew(before: State | null, now: State): boolean {
  if (before === null || before.answer !== now.answer || before.found !== now.found) return true;
  if (before.width !== now.width || before.at !== now.at || before.shown.zoom !== now.shown.zoom) return true;
  return (['direction', 'view', 'highlight'] as const).some((choice) => before.choices[choice] !== now.choices[choice]);
}

function drawingOf({ recording, choices, shown, width, found, at, chosen }: State, answer: FlameAnswer): PageDrawing {
  const matches = frameMatcher(found);
  const isHighlighting = choices.highlight !== 'none' && answer.tiers?.type === 'recorded';
  return {
    root: blocksOf(answer, shown.zoom),
    width,
    direction: choices.direction,
    totalUs: answer.totalUs,
    folders: recording?.folders ?? [],
    foundId: at?.id ?? null,
    chosenId: chosen,
    isFrameMatch: matches,
    isMatch: matches === null ? null : ({ frame }) => matches(frame),
    colors: colorsOf(answer),
    isHighlighted: isHighlighting ? ({ frame }) => isHighlighted(frame, choices.highlight) : null,
    code: codeOf(answer),
  };
}

interface PageDrawing extends Drawing {
  readonly isFrameMatch: ((frame: FlameFrame) => boolean) | null;
}

/** The colours of what is drawn now. A new choice is drawn as soon as there is an answer to it. */
function colorsOf({ tiers, diff }: FlameAnswer): PaintKind {
  if (diff !== undefined) return 'change';
  return tiers === undefined ? 'category' : 'tier';
}

function codeOf({ tiers }: FlameAnswer): ReadonlyMap<number, FlameCode> {
  return new Map(tiers?.type === 'recorded' ? tiers.code.map((code) => [code.functionId, code]) : []);
}

/** What the shares on the card are relative to. */
function scaleOf({ recording, shown }: State, answer: FlameAnswer): Scale {
  const zoomed = wayTo(answer.root, shown.zoom).at(-1) ?? answer.root;
  const { thresholdUs, folders } = recording ?? { thresholdUs: defaultThresholdUs, folders: [] };
  const { totalUs } = answer;
  const per = answer.diff === undefined ? null : answer.diff.of === null ? 'per run' : 'per operation';
  const drawn = { colors: colorsOf(answer), code: codeOf(answer), per };
  return { totalUs, zoomedUs: zoomed.value, thresholdUs, folders, ...drawn };
}

/** What a diff shows: by what its times are divided, and what each colour means, with its sum in the zoomed frame. */
class DiffBar {
  readonly element = element('div', { class: 'diff', hidden: '' });
  readonly #per = element('span', { class: 'diff-per' });
  readonly #rule = element('span', { class: 'muted' });
  readonly #all = element('button', { type: 'button', class: 'text-button' }, 'Show Whole Runs');
  readonly #amounts: ReadonlyMap<FrameChange, HTMLElement>;

  constructor(dispatch: (event: PageEvent) => void) {
    this.#amounts = new Map(frameChanges.map((change) => [change, element('span', { class: 'amount' })]));
    const entries = [...this.#amounts].map(([key, amount]) => {
      const label = element('span', {}, changeNames[key]);
      return element('span', { class: 'entry' }, swatch({ kind: 'change', key }), label, amount);
    });
    const title = 'By how much the self times of these frames differ, in the zoomed frame';
    const legend = element('div', { class: 'diff-legend', role: 'group', 'aria-label': 'Changes', title }, ...entries);
    const per = element('p', { class: 'diff-what', role: 'status' }, this.#per, this.#all, this.#rule);
    this.element.append(per, legend);
    this.#all.addEventListener('click', () => dispatch({ type: 'showAll' }));
  }

  update({ answer }: State): void {
    const diff = answer?.diff;
    this.element.hidden = diff === undefined;
    if (diff === undefined) return;
    this.#per.textContent = perText(diff);
    this.#all.hidden = diff.of === null;
    this.#rule.textContent = ruleText(diff.rule);
    for (const [change, amount] of this.#amounts) amount.textContent = differenceText(diff.differenceByChange[change]);
  }
}
