import { visible } from '../words/formats/hidden-characters.ts';
import { flameViews } from '../protocol/webview.ts';
import { element, type IconName, toolButton } from './basics/dom.ts';
import { secondRunHint } from './legend.ts';
import { SearchBox } from './search-box.ts';
import { type DiffView, diffViews } from '../protocol/diff.ts';
import { diffViewHints, diffViewNames } from '../words/formats/diff-texts.ts';
import type { PageEvent, State } from './basics/page-state.ts';
import { TakeMenu } from './take-away/take-menu.ts';
import type { TakenForm } from '../protocol/webview.ts';

type Dispatch = (event: PageEvent) => void;

/** Title, verdict, search and the switches above the graph. */
export class Toolbar {
  readonly element = element('header', { class: 'toolbar' });
  readonly #title = element('h1', {});
  readonly #verdict = element('p', { class: 'verdict' });
  readonly #search: SearchBox;
  readonly #take: TakeMenu;
  readonly #sides = new Map(diffViews.map((side) => [side, sideButton(side)]));
  readonly #side = element('div', { class: 'sides', role: 'group', 'aria-label': 'Times' }, ...this.#sides.values());
  readonly #views = choice('View', flameViews, {
    graph: 'Graph: frames by time',
    operations: 'Long operations, and one of them in time order (J, K)',
    around: 'Callers and callees of one function (C)',
    functions: 'Functions: a table of all',
    tree: 'Tree: frames as rows',
  });
  readonly #colors = choice('Colors', ['category', 'tier'], {
    category: 'Colors: kinds of code',
    tier: 'Colors: V8 tiers, optimized or not',
  });
  readonly #directions = choice('Direction', ['icicle', 'flame'], {
    icicle: 'Icicle: callers on top',
    flame: 'Flame: callers at the bottom',
  });
  readonly #reset = toolButton('reset', 'Reset zoom (Escape)');
  readonly #more = toolButton('more', 'More controls');
  readonly #menu = element('div', { class: 'menu', role: 'group', 'aria-label': 'More controls' });

  constructor(dispatch: Dispatch, takeAway: (form: TakenForm) => void) {
    this.#search = new SearchBox(dispatch);
    this.#take = new TakeMenu(takeAway, () => this.#openMenu(false));
    this.#menu.append(this.#colors.element, this.#directions.element, this.#reset);
    this.#more.classList.add('more');
    this.#more.setAttribute('aria-expanded', 'false');
    const others = [this.#side, this.#menu, this.#take.element, this.#more];
    const parts = [this.#search.element, ...others, this.#views.element];
    const tools = element('div', { class: 'tools', role: 'group', 'aria-label': 'Search and view' }, ...parts);
    const heading = element('div', { class: 'heading' }, this.#title, this.#verdict);
    this.element.append(heading, tools, this.#search.problem);
    for (const [side, button] of this.#sides) button.addEventListener('click', () => dispatch({ type: 'side', side }));
    this.#views.element.classList.add('views');
    this.#views.word({
      graph: 'Graph',
      operations: 'Long operations',
      around: 'Callers',
      functions: 'Functions',
      tree: 'Tree',
    });
    this.#views.onChoose((view) => dispatch({ type: 'view', view }));
    this.#colors.onChoose((colors) => dispatch({ type: 'color', colors }));
    this.#directions.onChoose((direction) => dispatch({ type: 'turn', direction }));
    this.#reset.addEventListener('click', () => dispatch({ type: 'zoom', zoom: '' }));
    this.#more.addEventListener('click', () => this.#openMenu(!this.#isMenuOpen));
    tools.addEventListener('keydown', (event) => this.#key(event));
  }

  update(state: State): void {
    this.#title.textContent = visible(titleOf(state), 200);
    this.#verdict.textContent = visible(subtitleOf(state), 500);
    const isDiff = state.recording?.isDiff === true;
    this.#side.hidden = !isDiff;
    this.#colors.element.hidden = isDiff; // Both sides have no tiers, and the colors are those of changes.
    for (const [side, button] of this.#sides) button.setAttribute('aria-pressed', String(side === state.choices.side));
    this.#views.show((view) => !isDiff || view === 'graph' || view === 'tree');
    this.#views.select(state.choices.view);
    this.#colors.select(state.choices.colors);
    this.#directions.select(state.choices.direction);
    this.#reset.disabled = state.choices.zoom === '';
    this.#search.update(state);
    this.#take.update(state);
  }

  focusSearch(): void {
    this.#search.focus();
  }

  clearSearch(): void {
    this.#search.clear();
  }

  get #isMenuOpen(): boolean {
    return this.#more.getAttribute('aria-expanded') === 'true';
  }

  /** One menu is open at a time. */
  #openMenu(isOpen: boolean): void {
    if (isOpen) this.#take.close();
    this.#more.setAttribute('aria-expanded', String(isOpen));
    this.#menu.classList.toggle('open', isOpen);
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !this.#isMenuOpen) return;
    event.stopPropagation();
    this.#openMenu(false);
    this.#more.focus();
  }
}

function titleOf({ recording }: State): string {
  return recording === null ? 'Flamegraph' : recording.title;
}

function subtitleOf({ recording }: State): string {
  if (recording?.isSecondRun === true) return secondRunHint(recording.startedAt, Date.now());
  return recording?.verdict ?? '';
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
    /** Words beside the icons, and in a narrow panel in their place. The names of the buttons begin with them. */
    word(words: Readonly<Record<Value, string>>): void {
      for (const [value, button] of buttons) button.append(element('span', { class: 'tool-word' }, words[value]));
    },
    show(isShown: (value: Value) => boolean): void {
      for (const [value, button] of buttons) button.hidden = !isShown(value);
    },
    select(chosen: Value): void {
      for (const [value, button] of buttons) button.setAttribute('aria-pressed', String(value === chosen));
    },
  };
}

function sideButton(side: DiffView): HTMLButtonElement {
  const title = `${diffViewHints[side]} (${diffViews.indexOf(side) + 1})`;
  return element('button', { type: 'button', class: 'text-button', title }, diffViewNames[side]);
}
