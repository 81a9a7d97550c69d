import { type Disposable, type LogOutputChannel, type CancellationToken, CancellationTokenSource } from 'vscode';
import type { FlameAnswer } from '../../protocol/flame.ts';
import type { Place } from '../../protocol/places.ts';
import type { Answer, Asked, QuestionName } from '../../language-server/recordings/questions.ts';
import { locateRequest } from '../../protocol/requests.ts';
import { firstAsideId, type HostMessage, type PageMessage } from '../../protocol/webview.ts';
import { messageOf } from '../../words/editor/notifications.ts';
import type { Server } from '../results/server.ts';
import { openSourceAt } from '../ui/open-source.ts';
import type { TextsBefore } from './texts-before.ts';

const questions = ['query', 'search', 'timeline', 'openSource', 'openBefore', 'openDeopt'] as const;

/** A kind of its own: a question beside those of what is drawn cancels none of them. */
const aside = 'aside';

/** What a page asks of the recording that it shows. */
export type PageQuestion = Extract<PageMessage, { readonly type: (typeof questions)[number] }>;

/** The page that asks. */
export interface AskingPage {
  readonly post: (message: HostMessage) => void;
  /** Says that a question cannot be answered. */
  readonly fail: (id: number, text: string) => void;
  /** An answer about frames goes to the page. */
  readonly told: (answer: FlameAnswer) => void;
}

export function isQuestion(message: PageMessage): message is PageQuestion {
  return questions.some((type) => type === message.type);
}

/** Answers what a page asks of a recording, and opens what it leads to. */
export class PageAnswers implements Disposable {
  readonly #page: AskingPage;
  readonly #server: Server;
  readonly #texts: Pick<TextsBefore, 'open'>;
  readonly #log: LogOutputChannel;
  readonly #lastAsked = new LastAsked();

  constructor(page: AskingPage, server: Server, texts: Pick<TextsBefore, 'open'>, log: LogOutputChannel) {
    this.#page = page;
    this.#server = server;
    this.#texts = texts;
    this.#log = log;
  }

  async answer(message: PageQuestion, recording: string): Promise<void> {
    switch (message.type) {
      case 'query': {
        const { id, query } = message;
        return this.#ask(id, recording, 'flame', query, (answer) => {
          this.#page.told(answer);
          return { type: 'answer', id, answer };
        });
      }
      case 'search': {
        const { id, search } = message;
        return this.#ask(id, recording, 'search', search, (answer) => ({ type: 'searchAnswer', id, answer }));
      }
      case 'timeline': {
        const { id, timeline: asked } = message;
        return this.#ask(id, recording, 'timeline', asked, (answer) => ({ type: 'timelineAnswer', id, answer }));
      }
      case 'openSource':
        return this.#open(recording, { url: message.url, line: message.line });
      case 'openBefore':
        return this.#openBefore(recording, message.functionId);
      case 'openDeopt':
        return this.#open(recording, { functionId: message.functionId, deopt: message.deopt });
    }
  }

  dispose(): void {
    this.#lastAsked.dispose();
  }

  async #ask<Name extends QuestionName>(
    id: number,
    recording: string,
    name: Name,
    asked: Asked<Name>,
    messageOfAnswer: (answer: Answer<Name>) => HostMessage,
  ): Promise<void> {
    const token = this.#lastAsked.next(id < firstAsideId ? name : aside);
    try {
      this.#page.post(messageOfAnswer(await this.#server.about(recording, name, asked, { token })));
    } catch (error) {
      if (!token.isCancellationRequested) this.#page.fail(id, messageOf(error));
    }
  }

  async #open(recording: string, place: Place): Promise<void> {
    try {
      await openSourceAt(await this.#server.ask(locateRequest, { recording, ...place }), this.#log);
    } catch (error) {
      this.#log.error(messageOf(error));
    }
  }

  async #openBefore(recording: string, functionId: number): Promise<void> {
    try {
      const text = await this.#server.about(recording, 'textBefore', functionId);
      if (text === null) this.#page.post({ type: 'note', text: textNotKept });
      else await this.#texts.open(text);
    } catch (error) {
      this.#log.error(messageOf(error));
    }
  }
}

/** Why a frame that is gone opens nothing. */
const textNotKept =
  'This function is gone, and the recording has not kept the text that ran: there is nothing to open.';

/** The latest question of each kind. A new question cancels the one before, because its answer would not be shown. */
class LastAsked implements Disposable {
  readonly #asked = new Map<string, CancellationTokenSource>();

  next(kind: string): CancellationToken {
    this.#asked.get(kind)?.cancel();
    const source = new CancellationTokenSource();
    this.#asked.set(kind, source);
    return source.token;
  }

  dispose(): void {
    for (const source of this.#asked.values()) source.cancel();
    this.#asked.clear();
  }
}
