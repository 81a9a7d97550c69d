import type { FlameAnswer, FunctionList } from '../../protocol/flame.ts';
import type { HostMessage, PictureForm, TakenForm } from '../../protocol/webview.ts';
import { firstAsideId, takenForms } from '../../protocol/webview.ts';
import { ask } from '../basics/asking.ts';
import { element, toolButton } from '../basics/dom.ts';
import type { Actions, Choices, State, StateMessage } from '../basics/page-state.ts';
import { verdictText } from '../basics/time-text.ts';
import { pageMarkdown, shownFacts } from './page-markdown.ts';
import { readPicture } from './picture.ts';
import { makePng, makeSvg } from './picture-files.ts';

const notYet = 'There is nothing to copy or save yet: wait until something is drawn.';
const goneOn = 'The page shows something else by now: copy or save it again.';
const tooLarge = 'This graph is too tall for a PNG: save it as SVG, or zoom first.';

/** Copies what is shown as Markdown to the clipboard, or makes a picture of it that the extension saves. */
export class TakeAway {
  readonly #actions: Actions;
  readonly #state: () => State;
  #lastId = firstAsideId;
  /** The state on screen when its functions were asked for. */
  #asking: State | null = null;
  #waiting: readonly AwaitedForm[] = [];

  constructor(actions: Actions, state: () => State) {
    this.#actions = actions;
    this.#state = state;
  }

  /** Returns a message that changes the page's state; null for a message that is handled here. */
  takeIn(message: HostMessage): StateMessage | null {
    if (message.type === 'takeAway') {
      this.take(message.form);
      return null;
    }
    const isAside = (message.type === 'answer' || message.type === 'failed') && (message.id ?? 0) >= firstAsideId;
    if (!isAside) return message;
    const state = this.#asking;
    if (message.id !== this.#lastId || state === null) return null; // A newer question replaced it.
    this.#asking = null;
    if (message.type === 'failed') return { type: 'note', text: message.text };
    this.#copy(state, message.answer.functions ?? null);
    return null;
  }

  /** Copies or saves what waited for this state to be drawn. */
  drawn(state: State): void {
    const waiting = this.#waiting;
    const next = waiting.length === 0 ? 'wait' : afterDrawing(waiting, state);
    if (next === 'wait') return;
    this.#waiting = [];
    if (next === 'goneOn') this.#note(goneOn);
    if (next === 'take') for (const { form } of waiting) this.take(form);
  }

  take(form: TakenForm): void {
    const state = this.#state();
    const { answer, recording, shown, choices } = state;
    // While a question is open, only the largest frames are drawn, or those of the choices before.
    if (answer !== null && state.awaited.query !== null) this.#waiting = [...this.#waiting, { form, of: choices }];
    else if (answer === null || recording === null) this.#note(notYet);
    else if (form !== 'markdown' && !hasGraph(state)) this.#note(pictureNeedsGraph);
    else if (form !== 'markdown') void this.#savePicture(form, state, answer);
    else if (answer.functions !== undefined) this.#copy(state, answer.functions);
    else if (recording.isDiff || shown.zoom !== '' || answer.callers !== undefined) this.#copy(state, null);
    else this.#askFunctions(state);
  }

  /** Asks for all functions: those in narrow frames are not on the page. */
  #askFunctions(state: State): void {
    const [message] = ask(state, { zoom: '' }).send;
    if (message?.type !== 'query') return;
    this.#lastId += 1;
    this.#asking = state;
    const functions = { by: 'self', isDescending: true } as const;
    this.#actions.post({ type: 'query', id: this.#lastId, query: { ...message.query, functions } });
  }

  #copy(state: State, list: FunctionList | null): void {
    if (state.answer === null) return;
    this.#actions.post({ type: 'copy', text: pageMarkdown(state, state.answer, list) });
  }

  async #savePicture(form: PictureForm, state: State, answer: FlameAnswer): Promise<void> {
    const verdict = verdictText(state, Date.now());
    const picture = readPicture(document.body, state.recording?.title ?? '', verdict, shownFacts(state, answer));
    const data = picture === null ? null : form === 'svg' ? makeSvg(picture) : await makePng(picture);
    if (data === null) this.#note(picture === null ? notYet : tooLarge);
    else this.#actions.post({ type: 'savePicture', form, data });
  }

  #note(text: string): void {
    this.#actions.dispatch({ type: 'note', text });
  }
}

/** A form that waits until everything is drawn that was asked for. */
export interface AwaitedForm {
  readonly form: TakenForm;
  /** The choices when it was asked for. */
  readonly of: Choices;
}

/**
 * What to do with waiting forms when a state is drawn: `wait` for more frames; `take` them; `drop` them, because the
 * question failed, which the page says itself; `goneOn`: the page shows something else by now.
 */
export function afterDrawing(
  forms: readonly AwaitedForm[],
  { awaited, notice, choices }: Pick<State, 'awaited' | 'notice' | 'choices'>,
): 'wait' | 'take' | 'drop' | 'goneOn' {
  if (awaited.query !== null) return 'wait';
  if (notice?.kind === 'failed') return 'drop';
  return forms.every(({ of }) => placeKey(of) === placeKey(choices)) ? 'take' : 'goneOn';
}

/** The choices that decide which frames are shown. */
function placeKey({ recording, view, operation, zoom, part }: Choices): string {
  return JSON.stringify([recording, view, operation, zoom, part]);
}

const labels: Readonly<Record<TakenForm, string>> = {
  markdown: 'Copy as Markdown',
  svg: 'Save as SVG…',
  png: 'Save as PNG…',
};

/** The hint for lists and tables, which cannot become a picture. */
const pictureNeedsGraph = 'A picture needs a graph: choose Graph, or Callers and callees.';

/** The button that copies or saves what is shown, with its menu. The arrows walk the menu, Escape closes it. */
export class TakeMenu {
  readonly element = element('div', { class: 'take' });
  readonly #button = toolButton('share', 'Copy or save', () => this.open(!this.#isOpen));
  readonly #popup = element('div', { class: 'take-popup', hidden: '' });
  readonly #items: ReadonlyMap<TakenForm, HTMLButtonElement>;
  /** Called before the menu is opened. */
  readonly #onOpen: () => void;
  readonly #hint = element('p', { class: 'take-hint muted', hidden: '' }, pictureNeedsGraph);

  constructor(take: (form: TakenForm) => void, onOpen: () => void) {
    this.#onOpen = onOpen;
    const attributes = { type: 'button', role: 'menuitem', tabindex: '-1', class: 'take-item' };
    this.#items = new Map(takenForms.map((form) => [form, element('button', attributes, labels[form])]));
    const menu = element('div', { role: 'menu', 'aria-label': 'Copy or save' }, ...this.#items.values());
    this.#button.setAttribute('aria-haspopup', 'menu');
    this.#button.setAttribute('aria-expanded', 'false');
    this.#popup.append(menu, this.#hint);
    this.element.append(this.#button, this.#popup);
    for (const [form, item] of this.#items) {
      item.addEventListener('click', () => {
        if (item.getAttribute('aria-disabled') === 'true') return;
        this.#closeHere();
        take(form);
      });
    }
    this.element.addEventListener('keydown', (event) => this.#key(event));
    this.element.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node) || !this.element.contains(relatedTarget)) this.open(false);
    });
  }

  update(state: State): void {
    this.#button.disabled = state.answer === null || state.answer.totalUs <= 0;
    if (this.#button.disabled) this.open(false);
    const isGraph = hasGraph(state);
    this.#hint.hidden = isGraph;
    for (const [form, item] of this.#items) item.setAttribute('aria-disabled', String(form !== 'markdown' && !isGraph));
  }

  get #isOpen(): boolean {
    return this.#button.getAttribute('aria-expanded') === 'true';
  }

  /** Opening moves the focus into the menu; closing does not move it. */
  open(isOpen: boolean): void {
    if (isOpen) this.#onOpen();
    this.#popup.hidden = !isOpen;
    this.#button.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) this.#items.get('markdown')?.focus();
  }

  #closeHere(): void {
    this.#button.focus();
    this.open(false);
  }

  #key(event: KeyboardEvent): void {
    const items = [...this.#items.values()];
    const at = items.findIndex((item) => item === document.activeElement);
    if (event.key === 'Escape' && this.#isOpen) this.#closeHere();
    else if (event.key === 'ArrowDown' && !this.#isOpen) this.open(true);
    else if (event.key === 'ArrowDown') items[(at + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp') items.at((at - 1) % items.length)?.focus();
    else if (event.key === 'Home') items[0]?.focus();
    else if (event.key === 'End') items.at(-1)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Whether frames are drawn that can become a picture. An empty list of operations has none. */
function hasGraph({ answer, choices }: State): boolean {
  if (answer?.functions !== undefined || (answer?.operations !== undefined && answer.picked === undefined))
    return false;
  return answer?.callers !== undefined || choices.view !== 'tree';
}
