import { type FlameAnswer, type FlameCode, type FlameFrame, frameMatcher } from '../protocol/flame.ts';
import type { FlameColors } from '../protocol/webview.ts';
import { blocksOf, wayTo } from './blocks.ts';
import { Breadcrumb, OperationBar, NoticeView } from './status-lines.ts';
import { Card, type Scale } from './card.ts';
import { element } from './dom.ts';
import { hasSource, isHighlighted } from './frame-text.ts';
import type { Drawing } from './graph.ts';
import { GraphView } from './graph-view.ts';
import { Legend, TierBar } from './legend.ts';
import type { PageEvent, State } from './state.ts';
import { FrameTable } from './table.ts';
import { Toolbar } from './toolbar.ts';
import { fillPatterns } from './paint.ts';
import { defaultThresholdUs } from '../protocol/figures.ts';

export interface PageActions {
  readonly dispatch: (event: PageEvent) => void;
  readonly open: (frame: FlameFrame) => void;
  readonly openDeopt: (frame: FlameFrame) => void;
  readonly recordTiers: () => void;
  readonly openTiers: () => void;
  readonly openProfile: () => void;
}

/** The whole page: draws a state, and turns what the person does into events. */
export class Page {
  readonly #actions: PageActions;
  readonly #toolbar: Toolbar;
  readonly #legend: Legend;
  readonly #tierBar: TierBar;
  readonly #operation: OperationBar;
  readonly #breadcrumb: Breadcrumb;
  readonly #notice = new NoticeView();
  readonly #graph: GraphView;
  readonly #table: FrameTable;
  readonly #card = new Card();
  readonly #progress = element('div', { class: 'progress', 'aria-hidden': 'true' });
  readonly #stage = element('section', { class: 'stage', 'aria-label': 'Frames' });
  /** Announces what has no place on the page, such as that a frame has no source. */
  readonly #announcement = element('div', { class: 'unseen', role: 'status' });
  #state: State | null = null;

  constructor(parent: HTMLElement, actions: PageActions) {
    this.#actions = actions;
    const zoom = (id: string): void => actions.dispatch({ type: 'zoom', zoom: id });
    const open = (frame: FlameFrame): void => this.#open(frame);
    this.#toolbar = new Toolbar(actions.dispatch, (offset) => this.#graph.focusMatch(offset));
    this.#legend = new Legend(actions.dispatch);
    this.#tierBar = new TierBar(actions);
    this.#operation = new OperationBar(actions.dispatch);
    this.#breadcrumb = new Breadcrumb(zoom);
    const { openDeopt } = actions;
    const showWorst = ({ functionId }: FlameFrame): void =>
      actions.dispatch({ type: 'focus', functionId, alone: true });
    this.#graph = new GraphView({ zoom, open, openDeopt, showWorst, point: (frame, box) => this.#point(frame, box) });
    this.#table = new FrameTable({ zoom, open });
    this.#stage.append(this.#graph.element, this.#table.element);
    const parts = this.#parts.map((part) => part.element);
    parent.append(
      element('main', {}, ...parts, this.#progress, this.#stage),
      this.#card.element,
      this.#announcement,
      fillPatterns(),
    );
    document.addEventListener('keydown', (event) => this.#key(event));
    new ResizeObserver(() => actions.dispatch({ type: 'resize', width: this.#stage.clientWidth })).observe(this.#stage);
  }

  get #parts(): readonly PagePart[] {
    return [this.#toolbar, this.#tierBar, this.#operation, this.#legend, this.#breadcrumb, this.#notice];
  }

  update(state: State): void {
    const before = this.#state;
    this.#state = state;
    for (const part of this.#parts) part.update(state);
    this.#stage.setAttribute('aria-busy', String(state.awaited.query !== null));
    this.#progress.hidden = state.awaited.query === null && state.notice?.kind !== 'loading';
    const answer = state.answer !== null && state.answer.totalUs > 0 ? state.answer : null;
    this.#legend.element.hidden = answer === null;
    this.#graph.element.hidden = answer === null || state.choices.view !== 'graph';
    this.#table.element.hidden = answer === null || state.choices.view !== 'table';
    if (answer === null || state.width === 0 || !isDrawnAnew(before, state)) return;
    const view = state.choices.view === 'graph' ? this.#graph : this.#table;
    view.draw(drawingOf(state, answer));
    if (before?.choices.view !== state.choices.view) view.reveal();
  }

  #point(frame: FlameFrame | null, box: DOMRect | null): void {
    const answer = this.#state?.answer ?? null;
    if (frame === null || box === null || answer === null || this.#state === null) this.#card.hide();
    else this.#card.show(frame, box, scaleOf(this.#state, answer));
  }

  #open(frame: FlameFrame): void {
    if (hasSource(frame)) this.#actions.open(frame);
    else this.#announcement.textContent = 'This frame has no source file.';
  }

  #key(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'text';
    const isCommand = event.ctrlKey || event.metaKey;
    if ((event.key === '/' && !isTyping) || (event.key === 'f' && isCommand)) this.#toolbar.focusSearch();
    else if (event.key === 'Escape' && isTyping) this.#leaveSearch();
    else if (event.key === 'Escape' || (event.key === '0' && !isTyping && !isCommand))
      this.#actions.dispatch({ type: 'zoom', zoom: '' });
    else if (event.key.startsWith('Arrow') && event.target === document.body) this.#focusFrames();
    else return;
    event.preventDefault();
  }

  #leaveSearch(): void {
    this.#toolbar.clearSearch();
    this.#focusFrames();
  }

  #focusFrames(): void {
    (this.#state?.choices.view === 'table' ? this.#table : this.#graph).focus();
  }
}

interface PagePart {
  readonly element: HTMLElement;
  readonly update: (state: State) => void;
}

/** Whether something has changed that is visible in the frames. */
function isDrawnAnew(before: State | null, now: State): boolean {
  if (before === null || before.answer !== now.answer || before.width !== now.width) return true;
  return (['zoom', 'direction', 'view', 'pattern', 'highlight'] as const).some(
    (choice) => before.choices[choice] !== now.choices[choice],
  );
}

function drawingOf({ recording, choices, width }: State, answer: FlameAnswer): Drawing {
  const matches = choices.pattern === '' ? null : frameMatcher(choices.pattern);
  const isHighlighting = choices.highlight !== 'none' && answer.tiers?.type === 'recorded';
  return {
    root: blocksOf(answer, choices.zoom),
    width,
    direction: choices.direction,
    totalUs: answer.totalUs,
    folders: recording?.folders ?? [],
    isMatch: matches === null ? null : ({ frame }) => frame.id !== '' && matches(frame),
    colors: colorsOf(answer),
    isHighlighted: isHighlighting ? ({ frame }) => isHighlighted(frame, choices.highlight) : null,
    code: codeOf(answer),
  };
}

/** The colours of what is drawn now. A new choice is drawn as soon as there is an answer to it. */
function colorsOf({ tiers }: FlameAnswer): FlameColors {
  return tiers === undefined ? 'category' : 'tier';
}

function codeOf({ tiers }: FlameAnswer): ReadonlyMap<number, FlameCode> {
  return new Map(tiers?.type === 'recorded' ? tiers.code.map((code) => [code.functionId, code]) : []);
}

/** What the shares on the card are relative to. */
function scaleOf({ recording, choices }: State, answer: FlameAnswer): Scale {
  const zoomed = wayTo(answer.root, choices.zoom).at(-1) ?? answer.root;
  const { thresholdUs, folders } = recording ?? { thresholdUs: defaultThresholdUs, folders: [] };
  const { totalUs } = answer;
  return { totalUs, zoomedUs: zoomed.value, thresholdUs, folders, colors: colorsOf(answer), code: codeOf(answer) };
}
