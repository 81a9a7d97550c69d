import { visible } from '../words/formats/hidden-characters.ts';
import { duration } from '../words/formats/figures.ts';
import { element, icon, type IconName } from './dom.ts';
import type { PageEvent, State } from './state.ts';
import { share } from './frame-text.ts';

type Dispatch = (event: PageEvent) => void;

/** Pause in typing after which the whole recording is searched, in ms. */
const typingPause = 120;

/** Title, verdict, search and the switches above the graph. */
export class Toolbar {
  readonly element = element('header', { class: 'toolbar' });
  readonly #title = element('h1', {});
  readonly #verdict = element('p', { class: 'verdict' });
  readonly #search = element('input', {
    type: 'text',
    placeholder: 'Search functions and files',
    'aria-label': 'Search',
    spellcheck: 'false',
    maxlength: '200',
  });
  readonly #count = element('span', { class: 'search-count', role: 'status' });
  readonly #views = choice('View', ['graph', 'table'], { graph: 'Graph', table: 'Table' });
  readonly #colors = choice('Colors', ['category', 'tier'], {
    category: 'Colors: kinds of code',
    tier: 'Colors: V8 tiers, optimized or not',
  });
  readonly #directions = choice('Direction', ['icicle', 'flame'], {
    icicle: 'Icicle: callers on top',
    flame: 'Flame: callers at the bottom',
  });
  readonly #reset = toolButton('reset', 'Reset zoom');
  readonly #dispatch: Dispatch;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(dispatch: Dispatch, nextMatch: (offset: 1 | -1) => void) {
    this.#dispatch = dispatch;
    const box = element('div', { class: 'search' }, icon('search'), this.#search, this.#count);
    const tools = element(
      'div',
      { class: 'tools', role: 'group', 'aria-label': 'Search and view' },
      box,
      this.#colors.element,
      this.#views.element,
      this.#directions.element,
      this.#reset,
    );
    this.element.append(element('div', { class: 'heading' }, this.#title, this.#verdict), tools);
    this.#views.onChoose((view) => dispatch({ type: 'view', view }));
    this.#colors.onChoose((colors) => dispatch({ type: 'color', colors }));
    this.#directions.onChoose((direction) => dispatch({ type: 'turn', direction }));
    this.#reset.addEventListener('click', () => dispatch({ type: 'zoom', zoom: '' }));
    this.#search.addEventListener('input', () => this.#typed());
    this.#search.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      nextMatch(event.shiftKey ? -1 : 1);
    });
  }

  update(state: State): void {
    this.#title.textContent = visible(state.recording?.title ?? 'Flamegraph', 200);
    this.#verdict.textContent = visible(state.recording?.verdict ?? '', 500);
    this.#views.select(state.choices.view);
    this.#colors.select(state.choices.colors);
    this.#directions.select(state.choices.direction);
    this.#reset.disabled = state.choices.zoom === '';
    if (document.activeElement !== this.#search) this.#search.value = state.choices.pattern;
    this.#count.textContent = countText(state);
  }

  focusSearch(): void {
    this.#search.focus();
    this.#search.select();
  }

  clearSearch(): void {
    this.#search.value = '';
    clearTimeout(this.#typing);
    this.#dispatch({ type: 'searchFor', pattern: '' });
  }

  #typed(): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#dispatch({ type: 'searchFor', pattern: this.#search.value }), typingPause);
  }
}

/** A text such as `14 matches · 23 %`. */
function countText({ choices, found, answer }: State): string {
  if (choices.pattern === '' || found === null || answer === null) return '';
  if (found.matches === 0) return 'No match';
  const matches = found.matches === 1 ? '1 match' : `${found.matches} matches`;
  return `${matches} · ${share(found.matchedUs, answer.totalUs)} · ${duration(found.matchedUs)}`;
}

/** Buttons one of which is pressed, like VS Code's input options. */
function choice<Value extends IconName>(
  label: string,
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
) {
  const buttons = new Map(values.map((value) => [value, toolButton(value, labels[value])]));
  return {
    element: element('div', { class: 'choice', role: 'group', 'aria-label': label }, ...buttons.values()),
    onChoose(listener: (value: Value) => void): void {
      for (const [value, button] of buttons) button.addEventListener('click', () => listener(value));
    },
    select(chosen: Value): void {
      for (const [value, button] of buttons) button.setAttribute('aria-pressed', String(value === chosen));
    },
  };
}

function toolButton(name: IconName, label: string): HTMLButtonElement {
  return element('button', { type: 'button', class: 'tool', 'aria-label': label, title: label }, icon(name));
}
