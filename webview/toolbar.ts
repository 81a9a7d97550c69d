import { type DiffView, diffViews } from '../protocol/diff.ts';
import {
  type FlameColors,
  type FlameDirection,
  type FlameView,
  type TakenForm,
  flameViews,
} from '../protocol/webview.ts';
import { diffViewHints, diffViewNames } from '../words/formats/diff-texts.ts';
import { plural } from '../words/formats/figures.ts';
import { visible } from '../words/formats/foreign-text.ts';
import { type Choice, choice, element, icon, setPressed, setText, textButton, toolButton } from './basics/dom.ts';
import { share, timeText } from './basics/frame-text.ts';
import type { Actions, PagePart, State } from './basics/page-state.ts';
import { verdictText } from './basics/time-text.ts';
import { TakeMenu } from './take-away/take-away.ts';

/** Each view: what it shows, and its word beside the icon, which takes the place of the icon in a narrow panel. */
const views: Readonly<Record<FlameView, readonly [label: string, word: string]>> = {
  graph: ['Graph: frames by time', 'Graph'],
  operations: ['Long operations, and one of them in time order (J, K)', 'Long operations'],
  around: ['Callers and callees of one function (C)', 'Callers'],
  functions: ['Functions: a table of all', 'Functions'],
  tree: ['Tree: frames as rows', 'Tree'],
};

const colorLabels: Readonly<Record<FlameColors, string>> = {
  category: 'Colors: kinds of code',
  tier: 'Colors: V8 tiers, optimized or not',
};

const directionLabels: Readonly<Record<FlameDirection, string>> = {
  icicle: 'Icicle: callers on top',
  flame: 'Flame: callers at the bottom',
};

/** Title, verdict, search and the switches above the graph. */
export class Toolbar implements PagePart {
  readonly element = element('header', { class: 'toolbar' });
  readonly #title = element('h1');
  readonly #verdict = element('p', { class: 'verdict' });
  readonly search: SearchBox;
  readonly #take: TakeMenu;
  readonly #sides: Choice<DiffView>;
  readonly #views: Choice<FlameView>;
  readonly #colors: Choice<FlameColors>;
  readonly #directions: Choice<FlameDirection>;
  readonly #reset: HTMLButtonElement;
  readonly #more = toolButton('more', 'More controls', () => this.#openMenu(!this.#isMenuOpen));
  readonly #menu = element('div', { class: 'menu', role: 'group', 'aria-label': 'More controls' });

  constructor({ dispatch }: Actions, takeAway: (form: TakenForm) => void) {
    this.search = new SearchBox(dispatch);
    this.#take = new TakeMenu(takeAway, () => this.#openMenu(false));
    this.#sides = choice('sides', 'Times', diffViews, (side) => {
      const title = `${diffViewHints[side]} (${diffViews.indexOf(side) + 1})`;
      return textButton(diffViewNames[side], () => dispatch({ type: 'choose', choices: { side } }), title);
    });
    this.#views = choice('choice', 'View', flameViews, (view) => {
      const [label, word] = views[view];
      const button = toolButton(view, label, () => dispatch({ type: 'view', view }));
      button.append(element('span', { class: 'tool-word' }, word));
      return button;
    });
    this.#colors = choice('choice', 'Colors', ['category', 'tier'], (colors) =>
      toolButton(colors, colorLabels[colors], () => dispatch({ type: 'choose', choices: { colors } })),
    );
    this.#directions = choice('choice', 'Direction', ['icicle', 'flame'], (direction) =>
      toolButton(direction, directionLabels[direction], () => dispatch({ type: 'redraw', choices: { direction } })),
    );
    this.#reset = toolButton('reset', 'Reset zoom (Escape)', () => dispatch({ type: 'zoom', zoom: '' }));
    this.#views.element.classList.add('views');
    this.#menu.append(this.#colors.element, this.#directions.element, this.#reset);
    this.#more.classList.add('more');
    this.#more.setAttribute('aria-expanded', 'false');
    const others = [this.#sides.element, this.#menu, this.#take.element, this.#more, this.#views.element];
    const attributes = { class: 'tools', role: 'group', 'aria-label': 'Search and view' };
    const tools = element('div', attributes, this.search.element, ...others);
    const heading = element('div', { class: 'heading' }, this.#title, this.#verdict);
    this.element.append(heading, tools, this.search.problem);
    tools.addEventListener('keydown', (event) => this.#key(event));
  }

  update(state: State): void {
    const { recording, choices } = state;
    this.#title.textContent = visible(recording?.title ?? 'Flamegraph', 200);
    this.#verdict.textContent = visible(verdictText(state, Date.now()), 500);
    const isDiff = recording?.isDiff === true;
    this.#sides.element.hidden = !isDiff;
    this.#colors.element.hidden = isDiff; // A diff has no tiers, and its colors are those of changes.
    for (const [view, button] of this.#views.buttons) button.hidden = isDiff && view !== 'graph' && view !== 'tree';
    this.#sides.select(choices.side);
    this.#views.select(choices.view);
    this.#colors.select(choices.colors);
    this.#directions.select(choices.direction);
    this.#reset.disabled = choices.zoom === '';
    this.search.update(state);
    this.#take.update(state);
  }

  get #isMenuOpen(): boolean {
    return this.#more.getAttribute('aria-expanded') === 'true';
  }

  /** One menu is open at a time. */
  #openMenu(isOpen: boolean): void {
    if (isOpen) this.#take.open(false);
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

/** Pause in typing before the search starts, in ms. */
const TYPING_PAUSE = 120;

/** The search by text or by regular expression, with the number of matches beside it. */
class SearchBox implements PagePart {
  readonly element = element('div', { class: 'searching-tools' });
  /** Why a regular expression finds nothing. */
  readonly problem = element('p', { class: 'search-problem', role: 'status', hidden: '' });
  readonly #input = element('input', {
    type: 'text',
    placeholder: 'Search functions and files',
    'aria-label': 'Search',
    spellcheck: 'false',
    maxlength: '200',
  });
  readonly #regex = toolButton('regex', 'Regular expression', () => this.#find(!this.#isRegex));
  readonly #count = element('span', { class: 'search-count', role: 'status' });
  readonly #dispatch: Actions['dispatch'];
  #isRegex = false;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(dispatch: Actions['dispatch']) {
    this.#dispatch = dispatch;
    const box = element('div', { class: 'search' }, icon('search'), this.#input, this.#regex);
    this.element.append(box, this.#count);
    this.#input.addEventListener('input', () => this.#typed());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
  }

  update(state: State): void {
    const { pattern, isRegex } = state.choices;
    this.#isRegex = isRegex;
    setPressed(this.#regex, isRegex);
    // A search that starts soon keeps its text; a text that is set again would lose the caret's place.
    if (this.#typing === undefined && this.#input.value !== pattern) this.#input.value = pattern;
    const problem = problemText(state);
    this.problem.hidden = problem === null;
    setText(this.problem, problem ?? '');
    setText(this.#count, countText(state));
    this.#count.title = countTitle(state);
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  clear(): void {
    this.#input.value = '';
    this.#find(this.#isRegex);
  }

  #typed(): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#find(this.#isRegex), TYPING_PAUSE);
  }

  #find(isRegex: boolean): void {
    clearTimeout(this.#typing);
    this.#typing = undefined;
    this.#dispatch({ type: 'searchFor', pattern: this.#input.value, isRegex });
  }

  /** Enter goes to the next match, also of text for which the search has not started yet. */
  #key(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (this.#typing !== undefined) this.#find(this.#isRegex);
    this.#dispatch({ type: 'goToMatch', step: event.shiftKey ? -1 : 1 });
  }
}

/** A text such as `3 of 14 · 23 %`; empty without an answer. */
function countText({ choices, found, at, answer }: State): string {
  if (choices.pattern === '' || found?.type !== 'found' || answer === null) return '';
  if (found.matches === 0) return 'No match';
  const part = share(found.matchedUs, answer.totalUs);
  if (at !== null) return `${at.number} of ${at.matches} · ${part}`;
  return `${found.matches === 1 ? '1 match' : `${found.matches} matches`} · ${part}`;
}

function countTitle({ found, answer }: State): string {
  if (found?.type !== 'found' || answer === null) return '';
  return `${plural(found.matches, 'frame')} with ${timeText(found.matchedUs, answer)}. Enter and Shift+Enter go from one to the next, the heaviest first.`;
}

/** Why a regular expression finds nothing, as a sentence; null if it works. */
function problemText({ found }: State): string | null {
  if (found?.type === 'slow')
    return 'This regular expression takes too long: try a simpler one, or search for plain text.';
  return found?.type === 'wrong' ? `This is not a regular expression: ${visible(found.message, 300)}.` : null;
}
