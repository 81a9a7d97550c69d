import type { FlameAnswer, FunctionList } from '../../protocol/flame.ts';
import {
  firstAsideId,
  type HostMessage,
  type PageMessage,
  type PictureForm,
  type TakenForm,
} from '../../protocol/webview.ts';
import { ask } from '../basics/asking.ts';
import type { PageEvent, State, ToldMessage } from '../basics/page-state.ts';
import { type AwaitedForm, afterDrawing } from './awaited-forms.ts';
import { pageMarkdown } from './page-markdown.ts';
import { pictureOf } from './picture.ts';
import { shownLegend } from './picture-head.ts';
import { pngOf } from './png.ts';
import { shownFacts } from './shown-facts.ts';
import { hasGraph, pictureNeedsGraph } from './take-menu.ts';
import { type Picture, type PictureBox, type PictureLine, type PicturePattern, tileSize } from './picture-data.ts';

/** Characters that no file of XML may have, even escaped. */
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

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

/**
 * A picture as a file of SVG that needs nothing else: no style sheet, no script, no font but the system's. Texts are
 * texts, and each frame has its sentence as a tooltip.
 */
function svgOf(picture: Picture): string {
  const { width, height, background, font, title, lines, boxes, patterns } = picture;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeXml(font)}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<defs>${patterns.map(patternText).join('')}</defs>`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    ...lines.map(lineText),
    ...boxes.map(boxText),
    '</svg>',
    '',
  ].join('\n');
}

function patternText({ ground, lines, lineWidth, path }: PicturePattern, number: number): string {
  const size = `width="${tileSize}" height="${tileSize}"`;
  const drawn =
    path === '' ? '' : `<path d="${escapeXml(path)}" fill="none" stroke="${lines}" stroke-width="${lineWidth}"/>`;
  return `<pattern id="fill-${number}" ${size} patternUnits="userSpaceOnUse"><rect ${size} fill="${ground}"/>${drawn}</pattern>`;
}

function boxText({ x, y, width, height, fill, opacity, edge, title, label }: PictureBox): string {
  const paint = fill.type === 'color' ? fill.color : `url(#fill-${fill.pattern})`;
  const faded = opacity < 1 ? ` fill-opacity="${opacity}"` : '';
  const rect = `<rect ${placeText({ x, y, width, height })} fill="${paint}"${faded}/>`;
  const tooltip = title === '' ? '' : `<title>${escapeXml(title)}</title>`;
  return `<g>${tooltip}${rect}${edgeText({ x, y, width, height, edge })}${label.map(lineText).join('')}</g>`;
}

/** A line inside of the box: half of one on its border would lie on its neighbour. */
function edgeText({ edge, ...box }: Pick<PictureBox, 'x' | 'y' | 'width' | 'height' | 'edge'>): string {
  if (edge === null || box.width < 2 * edge.width || box.height < 2 * edge.width) return '';
  const half = edge.width / 2;
  const inside = { x: box.x + half, y: box.y + half, width: box.width - edge.width, height: box.height - edge.width };
  const dashes = edge.isDashed ? ' stroke-dasharray="3 2"' : '';
  return `<rect ${placeText(inside)} fill="none" stroke="${edge.color}" stroke-width="${edge.width}"${dashes}/>`;
}

function placeText({ x, y, width, height }: Pick<PictureBox, 'x' | 'y' | 'width' | 'height'>): string {
  return `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
}

function lineText({ x, y, text, size, weight, color }: PictureLine): string {
  const bold = weight === '400' ? '' : ` font-weight="${escapeXml(weight)}"`;
  return `<text x="${short(x)}" y="${short(y)}" font-size="${size}"${bold} fill="${color}" xml:space="preserve">${escapeXml(text)}</text>`;
}

function short(number: number): string {
  return String(Math.round(number * 100) / 100);
}

/** A text of a stranger as a text of XML: nothing in it becomes an element, an attribute or an entity. */
function escapeXml(text: string): string {
  return text.replaceAll(notInXml, '\ufffd').replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
