import type { FlameAnswer, FlameFrame } from '../protocol/flame.ts';
import { duration } from '../words/formats/figures.ts';
import { microseconds } from '../protocol/units.ts';
import { blocksOf } from './basics/blocks.ts';
import { element } from './basics/dom.ts';
import { frameName, share } from './basics/frame-text.ts';
import type { Drawing } from './graph.ts';
import { type GraphHandlers, GraphView } from './graph-view.ts';

export interface AroundHandlers extends Omit<GraphHandlers, 'zoom'> {
  readonly around: (functionId: number) => void;
  readonly showInGraph: (functionId: number) => void;
}

/**
 * One function of all its places, between its callers and its callees. Both are graphs of the function's time: the
 * callers grow up from it, the callees down.
 */
export class AroundView {
  readonly element = element('div', { class: 'around', hidden: '' });
  readonly #text = element('span', {});
  readonly #callers: GraphView;
  readonly #callees: GraphView;
  #functions: ReadonlyMap<string, number> = new Map();
  #functionId = -1;

  constructor({ around, showInGraph, ...handlers }: AroundHandlers) {
    const zoom = (id: string): void => {
      const functionId = this.#functions.get(id) ?? -1;
      if (functionId >= 0 && functionId !== this.#functionId) around(functionId);
    };
    this.#callers = new GraphView({ ...handlers, zoom });
    this.#callees = new GraphView({ ...handlers, zoom });
    this.#callers.element.classList.add('callers');
    this.#callees.element.classList.add('callees');
    const button = element('button', { type: 'button', class: 'text-button' }, 'Show in the Graph');
    button.addEventListener('click', () => showInGraph(this.#functionId));
    const line = element('p', { class: 'around-line', role: 'status' }, this.#text, button);
    this.element.append(line, this.#callers.element, this.#callees.element);
  }

  /** `drawing` is that of the callees. */
  draw(drawing: Drawing, answer: FlameAnswer & Required<Pick<FlameAnswer, 'callers'>>): void {
    const { root, callers } = answer;
    this.#functionId = root.functionId;
    this.#functions = new Map([...functionsBelow(root), ...functionsBelow(callers)]);
    const part = `${duration(microseconds(root.value))}, ${share(root.value, answer.totalUs)} of all`;
    this.#text.textContent = `${frameName(root)}: ${part}. Who calls it stands above it, what it calls below.`;
    const above = blocksOf({ ...answer, root: callers }, callers.id);
    this.#callers.draw({ ...drawing, root: above, direction: 'flame', label: 'Callers' });
    this.#callees.draw({ ...drawing, root: blocksOf(answer, root.id), direction: 'icicle', label: 'Callees' });
  }

  /** Scrolls to the function, so that its nearest callers and callees can be seen. */
  reveal(): void {
    this.#callees.element.scrollIntoView({ block: 'center' });
  }

  clear(): void {
    this.#callers.clear();
    this.#callees.clear();
  }

  focus(): void {
    this.#callees.focus();
  }

  arrive(): void {
    this.#callees.arrive();
  }
}

function functionsBelow(root: FlameFrame): readonly (readonly [string, number])[] {
  const found: (readonly [string, number])[] = [];
  const left = [root];
  for (let frame = left.pop(); frame !== undefined; frame = left.pop()) {
    found.push([frame.id, frame.functionId]);
    left.push(...frame.children);
  }
  return found;
}
