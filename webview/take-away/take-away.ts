import type { FlameAnswer, FunctionList } from '../../protocol/flame.ts';
import {
  firstAsideId,
  type HostMessage,
  type PageMessage,
  type PictureForm,
  type TakenForm,
} from '../../protocol/webview.ts';
import { ask } from '../asking.ts';
import type { PageEvent, State, ToldMessage } from '../page-state.ts';
import { type AwaitedForm, afterDrawing } from './awaited-forms.ts';
import { pageMarkdown } from './page-markdown.ts';
import { pictureOf } from './picture.ts';
import { shownLegend } from './picture-head.ts';
import { pngOf } from './png.ts';
import { shownFacts } from './shown-facts.ts';
import { svgOf } from './svg-text.ts';
import { hasGraph, pictureNeedsGraph } from './take-menu.ts';

interface Wiring {
  readonly post: (message: PageMessage) => void;
  readonly dispatch: (event: PageEvent) => void;
  readonly state: () => State;
}

const notYet = 'There is nothing to copy or save yet: wait until something is drawn.';
const goneOn = 'Something else is shown by now: copy or save it once more.';
const tooLarge = 'This graph is too tall for a PNG: save it as SVG, or zoom first.';

/** Takes what is shown away: as Markdown on the clipboard, or as a picture that the extension saves. */
export class TakeAway {
  readonly #wiring: Wiring;
  #lastId = firstAsideId;
  /** What was on screen when the functions were asked for, for a text that is to be copied. */
  #asking: State | null = null;
  #waiting: readonly AwaitedForm[] = [];

  constructor(wiring: Wiring) {
    this.#wiring = wiring;
  }

  /** The message, if it is for the state of the page; null where it was for here. */
  takeIn(message: HostMessage): ToldMessage | null {
    if (message.type === 'takeAway') {
      this.take(message.form);
      return null;
    }
    const isOurs = (message.type === 'answer' || message.type === 'failed') && (message.id ?? 0) >= firstAsideId;
    if (!isOurs) return message;
    const state = this.#asking;
    if (message.id !== this.#lastId || state === null) return null; // Something newer was asked for.
    this.#asking = null;
    if (message.type === 'failed') return { type: 'note', text: message.text };
    this.#copy(state, message.answer.functions ?? null);
    return null;
  }

  /** A state that is drawn. What was waited for is taken away once nothing more is to come, if that is still shown. */
  drawn(state: State): void {
    const waiting = this.#waiting;
    const next = waiting.length === 0 ? 'wait' : afterDrawing(waiting, state);
    if (next === 'wait') return;
    this.#waiting = [];
    if (next === 'goneOn') this.#say(goneOn);
    if (next === 'take') for (const { form } of waiting) this.take(form);
  }

  take(form: TakenForm): void {
    const state = this.#wiring.state();
    const { answer, recording, shown, choices } = state;
    // What is there are the largest frames alone, or those of what was chosen before.
    if (answer !== null && state.awaited.query !== null) this.#waiting = [...this.#waiting, { form, of: choices }];
    else if (answer === null || recording === null) this.#say(notYet);
    else if (form !== 'markdown' && !hasGraph(state)) this.#say(pictureNeedsGraph);
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
    this.#wiring.post({ type: 'query', id: this.#lastId, query: { ...message.query, functions } });
  }

  #copy(state: State, list: FunctionList | null): void {
    if (state.answer === null) return;
    this.#wiring.post({ type: 'copy', text: pageMarkdown(state, state.answer, list) });
  }

  async #savePicture(form: PictureForm, state: State, answer: FlameAnswer): Promise<void> {
    const { title, verdict } = state.recording ?? { title: '', verdict: '' };
    const head = { title, verdict, facts: shownFacts(state, answer), legend: shownLegend(document) };
    const picture = pictureOf(document.body, head);
    const data = picture === null ? null : form === 'svg' ? svgOf(picture) : await pngOf(picture);
    if (data === null) this.#say(picture === null ? notYet : tooLarge);
    else this.#wiring.post({ type: 'savePicture', form, data });
  }

  #say(text: string): void {
    this.#wiring.dispatch({ type: 'note', text });
  }
}
