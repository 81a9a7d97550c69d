import type { FlameAnswer, FlameFrame } from '../protocol/flame.ts';
import { type Block, makeBlocks, listFrames, frameTowards } from './basics/blocks.ts';
import { closest, element, icon, textButton } from './basics/dom.ts';
import { canBeAlone, frameName, hasSource, isBar, refold, share, timeText } from './basics/frame-text.ts';
import type { FrameActions } from './basics/page-state.ts';
import { createGraph, type DrawnCell, type Drawing } from './graph.ts';

/** The graph with its mouse and keyboard: click zooms, Ctrl/Cmd+click and Enter open the source, arrows move. */
export class GraphView {
  readonly element = element('div', { class: 'graph' });
  readonly #chart = element('div', { class: 'chart' });
  readonly #commands: readonly FrameCommand[];
  /** The buttons of the commands, in the same order. */
  readonly #buttons: readonly HTMLButtonElement[];
  readonly #draw = createGraph(this.#chart);
  readonly #actions: FrameActions;
  #drawing: Drawing | null = null;
  /** The drawn frames in reading order, and by id. */
  #cells: readonly DrawnCell[] = [];
  #drawn: ReadonlyMap<string, DrawnCell> = new Map();
  /** Id of the frame that Tab goes to. */
  #current = '';
  /** The frame with the buttons. */
  #pointed: FlameFrame | null = null;
  #isArriving = false;

  constructor(actions: FrameActions) {
    this.#actions = actions;
    this.#commands = frameCommands(actions, () => this.#drawing);
    this.#buttons = this.#commands.map((command) => this.#button(command));
    this.element.append(this.#chart, ...this.#buttons);
    // This runs before the chart's own handler, which would zoom in the frames that it has instead of asking for more.
    this.#chart.addEventListener('click', (event) => this.#click(event), { capture: true });
    this.#chart.addEventListener('keydown', (event) => this.#key(event));
    this.#chart.addEventListener('focusin', (event) => this.#focused(event));
    this.element.addEventListener('pointerover', (event) => this.#hovered(event));
    this.element.addEventListener('pointerleave', () => this.#point(null));
    this.element.addEventListener('focusout', () => this.#point(null));
  }

  draw(drawing: Drawing): void {
    const hadFocus = this.#chart.contains(document.activeElement);
    const zoomed = zoomedIn(drawing.root).frame.id;
    const isMoved = this.#drawing === null || zoomedIn(this.#drawing.root).frame.id !== zoomed;
    const isComplete = this.#drawing?.isRough === true && !drawing.isRough;
    const isTurned = this.#drawing?.direction !== drawing.direction;
    const isChosen = this.#drawing?.chosenId !== drawing.chosenId;
    const isFound = this.#drawing?.foundId !== drawing.foundId;
    this.#drawing = drawing;
    this.#cells = this.#draw(drawing);
    this.#drawn = new Map(this.#cells.map((cell) => [cell.id, cell]));
    this.#point(null);
    this.#setCurrent(isMoved || !this.#drawn.has(this.#current) ? zoomed : this.#current);
    if (hadFocus) this.#keepFocus();
    if (isMoved || isTurned) this.reveal();
    else if (isComplete) this.#elementOf(zoomed)?.scrollIntoView({ block: 'nearest' }); // Rows above may have come.
    if (isChosen && drawing.chosenId !== null) this.#goTo(drawing.chosenId);
    if (isFound && drawing.foundId !== null) this.#goTo(drawing.foundId);
  }

  /** Removes the frames from the page, and remembers which one has the focus. */
  clear(): void {
    this.#point(null);
    this.#chart.replaceChildren();
  }

  /** Scrolls to the zoomed frame, so that its callees are visible. */
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

  /** Moves the focus to the frame that had it last, without its card: the person did not ask for that. */
  arrive(): void {
    this.#isArriving = true;
    this.focus();
    this.#isArriving = false;
  }

  /** An element that keeps the focus gets no event, so this brings its buttons back. */
  #keepFocus(): void {
    this.focus();
    if (this.#elementOf(this.#current)?.matches(':focus-visible') === true) this.#point(this.#current);
  }

  /** Scrolls to a match. The focus stays in the search box, where Enter goes to the next one. */
  #goTo(id: string): void {
    this.#setCurrent(id);
    this.#elementOf(id)?.scrollIntoView({ block: 'center', inline: 'nearest' });
  }

  #click(event: MouseEvent): void {
    const id = idAt(event);
    const frame = id === null ? undefined : this.#drawn.get(id)?.frame;
    if (frame === undefined) return;
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey) this.#actions.open(frame);
    else if (isBar(frame)) refold(frame, 'unfold', this.#actions);
    else this.#actions.zoom(frame.id);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#drawing === null) return;
    const from = this.#drawn.get(this.#current);
    if (from === undefined) return;
    const to = frameTowards(event.key, from, this.#cells, this.#drawing.direction);
    if (to !== null) this.focus(to);
    else if (event.key === '-') this.#actions.zoom(callerOfZoom(this.#drawing));
    else if (!pressKeyOn(from.frame, event.key, this.#commands, this.#actions) && !event.key.startsWith('Arrow'))
      return;
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
    const frame = id === null ? undefined : this.#drawn.get(id)?.frame;
    const box = id === null ? undefined : this.#elementOf(id)?.querySelector('rect')?.getBoundingClientRect();
    this.#pointed = frame ?? null;
    this.#actions.point(this.#pointed, box === undefined ? null : new DOMRect(x ?? box.x, box.y, 0, box.height));
    for (const [index, { isFor, label }] of this.#commands.entries()) {
      const button = this.#buttons[index];
      button?.toggleAttribute('hidden', frame === undefined || !isFor(frame));
      if (frame !== undefined) button?.setAttribute('aria-label', label(frameName(frame), frame));
    }
    if (box !== undefined) this.#placeButtons(box);
  }

  /** Puts the buttons at the end of the frame; beside it where it is too narrow. */
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

  #button({ icon: name, run }: FrameCommand): HTMLButtonElement {
    const button = element('button', { class: 'frame-button', type: 'button', tabindex: '-1', hidden: '' }, icon(name));
    button.addEventListener('click', () => {
      if (this.#pointed !== null) run(this.#pointed);
    });
    // The focus has to stay on its frame: when it leaves, the buttons disappear.
    button.addEventListener('mousedown', (event) => event.preventDefault());
    return button;
  }

  #elementOf(id: string): SVGGElement | null {
    return this.#drawn.get(id)?.element ?? null;
  }
}

/** A key in graph and tree, and a button on the frame of the graph under the pointer or with the focus. */
export interface FrameCommand {
  readonly icon: 'openSource' | 'fold' | 'worst' | 'deopt';
  /** Absent for `openSource`: Enter also reports a missing source. */
  readonly key?: string;
  readonly isFor: (frame: FlameFrame) => boolean;
  readonly label: (name: string, frame: FlameFrame) => string;
  readonly run: (frame: FlameFrame) => void;
}

export function frameCommands(actions: FrameActions, drawn: () => Drawing | null): readonly FrameCommand[] {
  return [
    {
      ...{ icon: 'openSource', isFor: hasSource, label: (name) => `Open the source of ${name}` },
      run: (frame) => actions.open(frame),
    },
    {
      ...{ icon: 'fold', key: 'f', label: (name) => `Fold ${name} again` },
      isFor: ({ unfolded }) => unfolded !== undefined,
      run: (frame) => refold(frame, 'fold', actions),
    },
    {
      ...{ icon: 'worst', key: 'w', isFor: canBeAlone },
      label: (name, { diff }) =>
        `Show ${diff === undefined ? 'the worst operation' : 'ms per operation'} of ${name} alone`,
      run: ({ functionId }) => actions.dispatch({ type: 'worst', functionId }),
    },
    {
      ...{ icon: 'deopt', key: 'd', label: (name) => `Open where V8 threw code of ${name} away` },
      isFor: ({ functionId }) => (drawn()?.code.get(functionId)?.deopts.length ?? 0) > 0,
      run: ({ functionId }) => actions.post({ type: 'openDeopt', functionId, deopt: 0 }),
    },
  ];
}

/** Does with a frame what a key stands for, in graph and tree. False where it stands for nothing. */
export function pressKeyOn(
  frame: FlameFrame,
  key: string,
  commands: readonly FrameCommand[],
  actions: FrameActions,
): boolean {
  const { id, functionId } = frame;
  const letter = key.toLowerCase(); // Caps Lock makes it a capital.
  const command = commands.find((one) => one.key === letter);
  if (key === 'Enter') actions.open(frame);
  else if (key === ' ' || key === '+') actions.zoom(id);
  else if (letter === 'u') refold(frame, 'unfold', actions);
  else if (letter === 'c') {
    if (functionId >= 0) actions.dispatch({ type: 'around', functionId });
  } else if (command === undefined) return false;
  else if (command.isFor(frame)) command.run(frame);
  return true;
}

function idAt(event: Event): string | null {
  return closest(event, 'g.frame')?.dataset['id'] ?? null;
}

/** Id of the zoomed frame's caller; that of the root where everything is shown. */
export function callerOfZoom({ root }: Drawing): string {
  return zoomedIn(root).parent?.frame.id ?? root.frame.id;
}

/** The first frame from the root on that is not an ancestor of the zoomed one. */
function zoomedIn(root: Block): Block {
  let block = root;
  while (block.fade && block.children[0] !== undefined) block = block.children[0];
  return block;
}

/**
 * One function with its callers and callees, over all places where it ran. Both are graphs of the function's time: the
 * callers grow up from it, the callees down.
 */
export class AroundView {
  readonly element = element('div', { class: 'around', hidden: '' });
  readonly #text = element('span');
  readonly #callers: GraphView;
  readonly #callees: GraphView;
  #functions: ReadonlyMap<string, number> = new Map();
  #functionId = -1;

  constructor(actions: FrameActions) {
    const zoom = (id: string): void => {
      const functionId = this.#functions.get(id) ?? -1;
      if (functionId >= 0 && functionId !== this.#functionId) actions.dispatch({ type: 'around', functionId });
    };
    this.#callers = new GraphView({ ...actions, zoom });
    this.#callees = new GraphView({ ...actions, zoom });
    this.#callers.element.classList.add('callers');
    this.#callees.element.classList.add('callees');
    const show = (): void => actions.dispatch({ type: 'showInGraph', functionId: this.#functionId });
    const button = textButton('Show in the Graph', show);
    const line = element('p', { class: 'around-line', role: 'status' }, this.#text, button);
    this.element.append(line, this.#callers.element, this.#callees.element);
  }

  /** `drawing` is that of the callees. */
  draw(drawing: Drawing, answer: FlameAnswer): void {
    const { root, callers } = answer;
    if (callers === undefined) return;
    this.#functionId = root.functionId;
    this.#functions = new Map([root, callers].flatMap(listFrames).map(({ id, functionId }) => [id, functionId]));
    const part = `${timeText(root.value, answer)}, ${share(root.value, answer.totalUs)} of all`;
    const name = element('bdi', {}, frameName(root)); // A name that reads from right to left would move the figures.
    this.#text.replaceChildren(name, `: ${part}. Callers are above, callees below.`);
    const above = makeBlocks({ ...answer, root: callers }, callers.id);
    this.#callers.draw({ ...drawing, root: above, direction: 'flame', label: 'Callers' });
    this.#callees.draw({ ...drawing, root: makeBlocks(answer, root.id), direction: 'icicle', label: 'Callees' });
  }

  /** Scrolls to the function, so that its nearest callers and callees are visible. */
  reveal(): void {
    this.#callees.element.scrollIntoView({ block: 'center' });
  }

  clear(): void {
    this.#callers.clear();
    this.#callees.clear();
  }

  readonly focus = (): void => this.#callees.focus();
  readonly arrive = (): void => this.#callees.arrive();
}
