import { type Disposable, type LogOutputChannel, type WebviewPanel, commands, workspace } from 'vscode';
import type { FlameQuery, FlameSearchAnswer } from '../../protocol/flame.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { commands as ids } from '../../protocol/ids.ts';
import {
  type Place,
  type Request,
  type Summary,
  flameRequest,
  locateRequest,
  openRequest,
  searchRequest,
} from '../../protocol/requests.ts';
import { idOf, isPageMessage } from '../../protocol/webview-guard.ts';
import type { HostMessage, PageMessage } from '../../protocol/webview.ts';
import { inLog, on } from '../ui/failures.ts';
import { openSourceAt } from '../ui/open-source.ts';
import type { Results } from '../results/results.ts';
import type { Server } from '../results/server.ts';
import type { Services } from '../results/services.ts';
import { analysisOptions } from '../ui/settings.ts';
import { messageOf } from '../../words/editor/notifications.ts';

/** A function to show. With `alone`, only the operation in which it held the loop longest. */
export interface FlamePlace {
  readonly functionId: number;
  readonly alone: boolean;
}

/** One flamegraph page in its panel: answers what it asks, and tells it what to show. */
export class FlamePage implements Disposable {
  readonly panel: WebviewPanel;
  readonly #server: Server;
  readonly #results: Results;
  readonly #log: LogOutputChannel;
  readonly #listening: Disposable;
  /** The recording that is wanted, the one that the page shows, and the function that the page should go to. */
  #wanted: string | null = null;
  #shown: string | null = null;
  #focus: FlamePlace | null = null;
  #isReady = false;
  /** The recording of tiers that the last answer named. */
  #secondRun: string | null = null;

  /** The panel must have no document yet, because its first message could be missed otherwise. */
  constructor(panel: WebviewPanel, { server, results, log }: Services) {
    this.panel = panel;
    this.#server = server;
    this.#results = results;
    this.#log = log;
    this.#listening = on(panel.webview.onDidReceiveMessage, async (message: unknown) => this.#receive(message), log);
  }

  /** Shows a recording, at a function if one is given; the same recording keeps its zoom and filters. */
  async show(recording: string, place?: FlamePlace): Promise<void> {
    this.#wanted = recording;
    this.#focus = place ?? null;
    if (this.#shown === recording) this.#sendFocus();
    else await this.#load();
  }

  /** Shows a recording that the server has just read; the same one keeps its zoom and filters. */
  follow(summary: Summary): void {
    this.#wanted = summary.recording;
    this.#focus = null;
    if (this.#isReady) this.#present(summary);
  }

  /** Tells the page that more is known now of what it shows. */
  refresh(): void {
    if (this.#shown !== null) this.#post({ type: 'refresh' });
  }

  dispose(): void {
    this.#listening.dispose();
  }

  async #load(): Promise<void> {
    const recording = this.#wanted;
    if (recording === null || !this.#isReady) return;
    this.#post({ type: 'loading', text: 'Reading the recording…' });
    try {
      const params = { recording, annotate: false, target: null, options: analysisOptions() };
      const answer = await this.#server.ask(openRequest, params);
      if (recording !== this.#wanted) return; // The person has asked for another one meanwhile.
      if (answer.type === 'failed') this.#fail(null, answer.message);
      else this.#present(answer.summary);
    } catch (error) {
      if (recording === this.#wanted) this.#fail(null, messageOf(error));
    }
  }

  #present(summary: Summary): void {
    this.panel.title = `Flamegraph: ${visible(summary.title, 200)}`;
    this.#post(showMessage(summary, this.#results.summary));
    this.#shown = summary.recording;
    this.#sendFocus();
  }

  #sendFocus(): void {
    if (this.#focus !== null) this.#post({ type: 'focus', ...this.#focus });
    this.#focus = null;
  }

  async #receive(message: unknown): Promise<void> {
    if (!isPageMessage(message)) {
      const id = idOf(message);
      const text = 'The flamegraph page asked for something unknown.';
      if (id === null) this.#log.warn(text);
      else this.#fail(id, text); // The page waits for an answer.
      return;
    }
    if (message.type === 'ready') {
      this.#isReady = true;
      this.#shown = null;
      await this.#load();
    } else if (this.#wanted !== null) {
      await this.#answer(message, this.#wanted);
    }
  }

  async #answer(message: Exclude<PageMessage, { readonly type: 'ready' }>, recording: string): Promise<void> {
    switch (message.type) {
      case 'query':
        return this.#answerQuery(message.id, recording, message.query);
      case 'search': {
        const { id, search } = message;
        const answerOf = (answer: FlameSearchAnswer): HostMessage => ({ type: 'searchAnswer', id, answer });
        return this.#ask(id, searchRequest, { recording, search }, answerOf);
      }
      case 'openSource':
        return this.#open(recording, { url: message.url, line: message.line });
      case 'openDeopt':
        return this.#open(recording, { functionId: message.functionId, deopt: message.deopt });
      case 'recordTiers':
        await commands.executeCommand(ids.recordTiers);
        return undefined;
      case 'openTiers':
        return this.#secondRun === null ? undefined : this.show(this.#secondRun);
      case 'openProfile':
        return this.#results.summary === null ? undefined : this.show(this.#results.summary.recording);
    }
  }

  async #answerQuery(id: number, recording: string, query: FlameQuery): Promise<void> {
    await this.#ask(id, flameRequest, { recording, query }, (answer) => {
      this.#secondRun = answer.tiers?.type === 'secondRun' ? answer.tiers.recording : null;
      return { type: 'answer', id, answer };
    });
  }

  async #ask<Params, Result>(
    id: number,
    request: Request<Params, Result>,
    params: Params,
    messageOfAnswer: (answer: Result) => HostMessage,
  ): Promise<void> {
    try {
      this.#post(messageOfAnswer(await this.#server.ask(request, params)));
    } catch (error) {
      this.#fail(id, messageOf(error));
    }
  }

  async #open(recording: string, place: Place): Promise<void> {
    try {
      await openSourceAt(await this.#server.ask(locateRequest, { recording, ...place }), this.#log);
    } catch (error) {
      this.#log.error(messageOf(error));
    }
  }

  #fail(id: number | null, text: string): void {
    this.#log.error(text);
    this.#post({ type: 'failed', id, text });
  }

  #post(message: HostMessage): void {
    inLog(this.panel.webview.postMessage(message), this.#log);
  }
}

/** `annotated` is the recording whose figures the lines show. */
function showMessage(shown: Summary, annotated: Summary | null): HostMessage {
  const { recording, title, verdict, thresholdUs, isTiers, startedAt } = shown;
  const isSecondRun = isTiers && annotated !== null && annotated.recording !== recording;
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString().replace(/\/$/, ''));
  return { type: 'show', recording, title, verdict, folders, thresholdUs, isTiers, isSecondRun, startedAt };
}
