import type { FlameFrame } from '../protocol/flame.ts';
import { frameTowards } from './arrows.ts';
import type { Block } from './basics/blocks.ts';
import { closest, element, icon } from './basics/dom.ts';
import { canBeAlone, frameName, hasSource, isBar, type Refolding, refoldingOf } from './basics/frame-text.ts';
import { createGraph, type DrawnCell, type Drawing } from './graph.ts';

export interface GraphHandlers {
  readonly zoom: (id: string) => void;
  /** Unfolds a frame, or folds again what was unfolded with it. */
  /** Shows the frame's function with its callers and callees. */
  readonly around?: (functionId: number) => void;
  readonly refold: (change: Refolding) => void;
  readonly open: (frame: FlameFrame) => void;
  /** Shows only the operation in which its function held the loop longest; in a diff all operations of it. */
  readonly showWorst: (frame: FlameFrame) => void;
  /** Opens the place where V8 threw its code away most often. */
  readonly openDeopt: (frame: FlameFrame) => void;
  /**
   * Tells the frame under the pointer or with the focus, and where it is on screen; null when there is none any more.
   */
  readonly point: (frame: FlameFrame | null, box: DOMRect | null) => void;
}

/** The graph with its mouse and keyboard: click zooms, Ctrl/Cmd+click and Enter open the source, arrows move. */
export class GraphView {
  readonly element = element('div', { class: 'graph' });
  readonly #chart = element('div', { class: 'chart' });
  readonly #openButton = frameButton('openSource');
  readonly #foldButton = frameButton('fold');
  readonly #worstButton = frameButton('worst');
  readonly #deoptButton = frameButton('deopt');
  readonly #draw = createGraph(this.#chart);
  readonly #handlers: GraphHandlers;
  #drawing: Drawing | null = null;
  /** The drawn frames in reading order, and by id. */
  #cells: readonly DrawnCell[] = [];
  #drawn: ReadonlyMap<string, DrawnCell> = new Map();
  /** Ids of the frame that Tab goes to, and of the frame with the buttons. */
  #current = '';
  #pointed: string | null = null;
  #isArriving = false;

  constructor(handlers: GraphHandlers) {
    this.#handlers = handlers;
    this.element.append(this.#chart, ...this.#buttons);
    // This runs before the chart's own handler, which would zoom in what it has instead of asking for more.
    this.#chart.addEventListener('click', (event) => this.#click(event), { capture: true });
    this.#chart.addEventListener('keydown', (event) => this.#key(event));
    this.#chart.addEventListener('focusin', (event) => this.#focused(event));
    this.#openButton.addEventListener('click', () => this.#open(this.#pointed));
    this.#foldButton.addEventListener('click', () => this.#refold(this.#pointed, 'fold'));
    this.#worstButton.addEventListener('click', () => this.#showWorst(this.#pointed));
    this.#deoptButton.addEventListener('click', () => this.#openDeopt(this.#pointed));
    // The focus has to stay on its frame: when it goes, so do the buttons.
    for (const button of this.#buttons) button.addEventListener('mousedown', (event) => event.preventDefault());
    this.element.addEventListener('pointerover', (event) => this.#hovered(event));
    this.element.addEventListener('pointerleave', () => this.#point(null));
    this.element.addEventListener('focusout', () => this.#point(null));
  }

  get #buttons(): readonly HTMLButtonElement[] {
    return [this.#openButton, this.#foldButton, this.#worstButton, this.#deoptButton];
  }

  draw(drawing: Drawing): void {
    const hadFocus = this.#chart.contains(document.activeElement);
    const zoomed = zoomedIn(drawing.root).frame.id;
    const isMoved = this.#drawing === null || zoomedIn(this.#drawing.root).frame.id !== zoomed;
    const isTurned = this.#drawing?.direction !== drawing.direction;
    const isChosen = drawing.chosenId !== null && this.#drawing?.chosenId !== drawing.chosenId;
    const isFound = drawing.foundId !== null && this.#drawing?.foundId !== drawing.foundId;
    this.#drawing = drawing;
    this.#cells = this.#draw(drawing);
    this.#drawn = new Map(this.#cells.map((cell) => [cell.id, cell]));
    this.#point(null);
    this.#setCurrent(isMoved || !this.#drawn.has(this.#current) ? zoomed : this.#current);
    if (hadFocus) this.#keepFocus();
    if (isMoved || isTurned) this.reveal();
    if (isChosen) this.#goTo(drawing.chosenId ?? '');
    if (isFound) this.#goTo(drawing.foundId ?? '');
  }

  /** Takes the frames off the page; what has the focus among them is remembered. */
  clear(): void {
    this.#point(null);
    this.#chart.replaceChildren();
  }

  /** Scrolls to the zoomed frame, so that what it calls can be seen. */
  reveal(): void {
    if (this.#drawing === null) return;
    const { root, direction } = this.#drawing;
    this.#elementOf(zoomedIn(root).frame.id)?.scrollIntoView({ block: direction === 'icicle' ? 'start' : 'end' });
  }

  /** Moves the focus to a frame, or to the one that had it last. */
  focus(id: string = this.#current): void {
    this.#elementOf(id)?.focus({ preventScroll: true });
    this.#elementOf(id)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  /** Moves the focus to the frame that had it last, without its card: nobody has asked for that. */
  arrive(): void {
    this.#isArriving = true;
    this.focus();
    this.#isArriving = false;
  }

  /** An element that has kept the focus is told of nothing, so its buttons are brought back here. */
  #keepFocus(): void {
    this.focus();
    if (this.#elementOf(this.#current)?.matches(':focus-visible') === true) this.#point(this.#current);
  }

  /** Brings a match on screen. The focus stays in the search box, from which the next one is gone to. */
  #goTo(id: string): void {
    this.#setCurrent(id);
    this.#elementOf(id)?.scrollIntoView({ block: 'center', inline: 'nearest' });
  }

  #click(event: MouseEvent): void {
    const id = idAt(event);
    if (id === null) return;
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey) this.#open(id);
    else if (isBar(this.#drawn.get(id)?.frame ?? {})) this.#refold(id, 'unfold');
    else this.#handlers.zoom(id);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#drawing === null) return;
    const from = this.#cells.find(({ id }) => id === this.#current);
    if (from === undefined) return;
    const to = frameTowards(event.key, from, this.#cells, this.#drawing.direction);
    if (to !== null) this.focus(to);
    else if (event.key === 'Enter') this.#open(from.id);
    else if (event.key === ' ' || event.key === '+') this.#handlers.zoom(from.id);
    else if (event.key === '-') this.#handlers.zoom(from.parent ?? '');
    else if (event.key === 'u') this.#refold(from.id, 'unfold');
    else if (event.key === 'f') this.#refold(from.id, 'fold');
    else if (event.key === 'c') this.#around(from.id);
    else if (event.key === 'w') this.#showWorst(from.id);
    else if (event.key === 'd') this.#openDeopt(from.id);
    else if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
  }

  #focused(event: Event): void {
    const id = idAt(event);
    if (id === null) return;
    this.#setCurrent(id);
    if (!this.#isArriving && this.#elementOf(id)?.matches(':focus-visible') === true) this.#point(id);
  }

  #hovered(event: PointerEvent): void {
    if (closest(event, '.frame-button') === null) this.#point(idAt(event), event.clientX);
  }

  #setCurrent(id: string): void {
    this.#elementOf(this.#current)?.setAttribute('tabindex', '-1');
    this.#current = id;
    this.#elementOf(id)?.setAttribute('tabindex', '0');
  }

  /** `x` is the pointer's position on screen. */
  #point(id: string | null, x?: number): void {
    this.#pointed = id;
    const frame = id === null ? undefined : this.#drawn.get(id)?.frame;
    const box = id === null ? undefined : this.#elementOf(id)?.querySelector('rect')?.getBoundingClientRect();
    this.#handlers.point(frame ?? null, box === undefined ? null : new DOMRect(x ?? box.x, box.y, 0, box.height));
    this.#openButton.hidden = frame === undefined || box === undefined || !hasSource(frame);
    this.#foldButton.hidden = frame === undefined || box === undefined || refoldingOf(frame, 'fold') === null;
    this.#worstButton.hidden = frame === undefined || box === undefined || !canBeAlone(frame);
    this.#deoptButton.hidden = frame === undefined || box === undefined || !this.#hasDeopt(frame);
    if (frame === undefined || box === undefined) return;
    this.#openButton.setAttribute('aria-label', `Open the source of ${frameName(frame)}`);
    this.#foldButton.setAttribute('aria-label', `Fold ${frameName(frame)} again`);
    const alone = frame.diff === undefined ? 'the worst operation' : 'ms per operation';
    this.#worstButton.setAttribute('aria-label', `Show ${alone} of ${frameName(frame)} alone`);
    this.#deoptButton.setAttribute('aria-label', `Open where V8 threw code of ${frameName(frame)} away`);
    this.#placeButtons(box);
  }

  #hasDeopt({ functionId }: FlameFrame): boolean {
    return (this.#drawing?.code.get(functionId)?.deopts.length ?? 0) > 0;
  }

  /** Puts the buttons at the end of the frame, and outside of it where it is too narrow. */
  #placeButtons(box: DOMRect): void {
    const around = this.element.getBoundingClientRect();
    const buttons = this.#buttons.filter(({ hidden }) => hidden === false);
    const isNarrow = box.width < (buttons.length + 1) * box.height;
    const left = (isNarrow ? box.right : box.right - box.height * buttons.length) - around.left;
    const first = Math.max(0, Math.min(left, around.width - box.height * buttons.length));
    for (const [place, button] of buttons.toReversed().entries()) {
      button.style.left = `${first + place * box.height}px`;
      button.style.top = `${box.top - around.top}px`;
    }
  }

  #around(id: string): void {
    const functionId = this.#drawn.get(id)?.frame.functionId ?? -1;
    if (functionId >= 0) this.#handlers.around?.(functionId);
  }

  #refold(id: string | null, type: Refolding['type']): void {
    const change = refoldingOf(id === null ? undefined : this.#drawn.get(id)?.frame, type);
    if (change !== null) this.#handlers.refold(change);
  }

  #open(id: string | null): void {
    const frame = id === null ? undefined : this.#drawn.get(id)?.frame;
    if (frame !== undefined) this.#handlers.open(frame);
  }

  #showWorst(id: string | null): void {
    const frame = id === null ? undefined : this.#drawn.get(id)?.frame;
    if (frame !== undefined && canBeAlone(frame)) this.#handlers.showWorst(frame);
  }

  #openDeopt(id: string | null): void {
    const frame = id === null ? undefined : this.#drawn.get(id)?.frame;
    if (frame !== undefined && this.#hasDeopt(frame)) this.#handlers.openDeopt(frame);
  }

  #elementOf(id: string): SVGGElement | null {
    return this.#drawn.get(id)?.element ?? null;
  }
}

function frameButton(name: 'openSource' | 'fold' | 'worst' | 'deopt'): HTMLButtonElement {
  return element('button', { class: 'frame-button', type: 'button', tabindex: '-1', hidden: '' }, icon(name));
}

function idAt(event: Event): string | null {
  return closest(event, 'g.frame')?.dataset['id'] ?? null;
}

/** The first frame from the root on that is no ancestor of the zoomed one. */
function zoomedIn(root: Block): Block {
  let block = root;
  while (block.fade && block.children[0] !== undefined) block = block.children[0];
  return block;
}
