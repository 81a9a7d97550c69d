import {
  CancellationTokenSource,
  type Disposable,
  type LogOutputChannel,
  type WebviewPanel,
  commands,
  workspace,
} from 'vscode';
import { type DiffSides, diffNamed, nameOfDiff } from '../../protocol/diff.ts';
import type { FlameAnswer } from '../../protocol/flame.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { commands as ids } from '../../protocol/ids.ts';
import {
  type DiffPlace,
  type DiffReference,
  openDiffRequest,
  openRequest,
  type DiffSummary,
} from '../../protocol/requests.ts';
import type { Summary } from '../../protocol/summary.ts';
import { idOf, isPageMessage } from '../../protocol/webview-guard.ts';
import type { HostMessage, PageMessage } from '../../protocol/webview.ts';
import { inLog, on } from '../ui/failures.ts';
import type { Results } from '../results/results.ts';
import type { Server } from '../results/server.ts';
import type { Services } from '../results/services.ts';
import { analysisOptions } from '../ui/settings.ts';
import { takeAway } from './take-away.ts';
import { isQuestion, PageAnswers, type PageQuestion } from './answer-page.ts';
import type { TextsBefore } from './texts-before.ts';
import { messageOf } from '../../words/editor/notifications.ts';

/** For a panel that VS Code restores: it is of the same bundle. */
export { isPageState } from '../../protocol/webview-guard.ts';

/**
 * A function to show (with `alone`, only the operation in which it held the loop longest), or one operation by its
 * number.
 */
export type FlamePlace = { readonly functionId: number; readonly alone: boolean } | { readonly operation: number };

/** One flamegraph page in its panel: answers what it asks, and tells it what to show. */
export class FlamePage implements Disposable {
  readonly panel: WebviewPanel;
  readonly #server: Server;
  readonly #results: Results;
  readonly #log: LogOutputChannel;
  readonly #answers: PageAnswers;
  readonly #listening: Disposable;
  /** The recording that is wanted, the one that the page shows, and the function that the page should go to. */
  #wanted: string | null = null;
  #shown: string | null = null;
  #result: string | null = null;
  #focus: FlamePlace | null = null;
  /** The place in a diff that the page should go to. */
  #place: DiffPlace | null = null;
  #isReady = false;
  /** What is being read ends with the panel. */
  readonly #reading = new CancellationTokenSource();
  /** The recording of tiers that the last answer named. */
  #secondRun: string | null = null;
  /** The page asked for tiers, and shows them once they are recorded. */
  #awaitsTiers = false;

  /** The panel must have no document yet, because its first message could be missed otherwise. */
  constructor(panel: WebviewPanel, { server, results, log }: Services, texts: Pick<TextsBefore, 'open'>) {
    this.panel = panel;
    this.#server = server;
    this.#results = results;
    this.#log = log;
    const told = ({ tiers }: FlameAnswer): void => {
      this.#secondRun = tiers?.type === 'secondRun' ? tiers.recording : null;
    };
    const asking = { post: (message: HostMessage) => this.#post(message), fail: this.#fail.bind(this), told };
    this.#answers = new PageAnswers(asking, server, texts, log);
    this.#listening = on(panel.webview.onDidReceiveMessage, async (message: unknown) => this.#receive(message), log);
  }

  /** Shows a recording, at a function if one is given; the same recording keeps its zoom and filters. */
  async show(recording: string, place?: FlamePlace): Promise<void> {
    this.#result = recording;
    await this.#showWanted(recording, place);
  }

  /** The recording whose result the page belongs to. From it the page may go to its tiers. */
  get result(): string | null {
    return this.#result;
  }

  async #showWanted(recording: string, place?: FlamePlace): Promise<void> {
    this.#wanted = recording;
    this.#awaitsTiers = false;
    this.#focus = place ?? null;
    if (this.#shown === recording) this.#sendFocus();
    else await this.#load();
  }

  /** Shows a recording that the server has just read; the same one keeps its zoom and filters. */
  follow(summary: Summary): void {
    this.#result = summary.recording;
    this.#wanted = summary.recording;
    this.#awaitsTiers = false;
    this.#focus = null;
    if (this.#isReady) this.#present(summary);
  }

  /** Tells the page that more is known now of what it shows. */
  refresh(): void {
    if (this.#shown !== null) this.#post({ type: 'refresh' });
  }

  /** Goes over to tiers that were recorded now, where the page asked for them. */
  async takeTiers(recording: string): Promise<void> {
    if (this.#awaitsTiers) await this.#showWanted(recording);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#wanted = null; // What is told now would find no page any more.
    this.#reading.cancel();
    this.#reading.dispose();
    this.#answers.dispose();
  }

  async #load(): Promise<void> {
    const recording = this.#wanted;
    if (recording === null || !this.#isReady) return;
    this.#post({ type: 'loading', text: 'Reading the recording…' });
    const diff = diffNamed(recording);
    try {
      await (diff === null ? this.#read(recording) : this.#readDiff(recording, diff));
    } catch (error) {
      if (recording === this.#wanted) this.#fail(null, messageOf(error));
    }
  }

  async #read(recording: string): Promise<void> {
    const shown = this.#results.all.find(({ summary }) => summary.recording === recording);
    const params = { recording, more: shown?.summary.more ?? [], shownAs: null, options: analysisOptions() };
    const answer = await this.#server.ask(openRequest, params, { token: this.#reading.token });
    if (recording !== this.#wanted) return; // The person has asked for another one meanwhile.
    if (answer.type === 'failed') this.#fail(null, answer.message);
    else if (answer.type === 'opened') this.#present(answer.summary);
  }

  async #readDiff(name: string, sides: DiffSides): Promise<void> {
    const params = { ...sides, options: analysisOptions() };
    const answer = await this.#server.ask(openDiffRequest, params, {
      token: this.#reading.token,
      onProgress: ({ message }) => this.#post({ type: 'loading', text: `Reading ${message}…` }),
    });
    if (name !== this.#wanted) return;
    if (answer.type === 'failed') {
      this.#fail(null, answer.message);
      return;
    }
    this.panel.title = `Diff: ${visible(answer.summary.title, 200)}`;
    this.#post(showDiffMessage(name, answer.summary));
    this.#shown = name;
    await this.#goToPlace(name);
  }

  #present(summary: Summary): void {
    this.panel.title = `Flamegraph: ${visible(summary.title, 200)}`;
    this.#post(showMessage(summary, this.#ownResult()));
    this.#shown = summary.recording;
    this.#sendFocus();
  }

  /** Shows a diff, at a function if a place is given. */
  async showDiff({ base, head, place }: DiffReference): Promise<void> {
    const name = nameOfDiff({ base, head });
    this.#place = place;
    await this.show(name);
    if (this.#shown === name) await this.#goToPlace(name);
  }

  async #goToPlace(recording: string): Promise<void> {
    const place = this.#place;
    this.#place = null;
    if (place === null) return;
    const found = await this.#server.about(recording, 'find', place);
    if (found === null) this.#post({ type: 'note', text: notInDiff(place.name) });
    else this.#post({ type: 'focus', ...found, alone: true });
  }

  #sendFocus(): void {
    const focus = this.#focus;
    this.#focus = null;
    if (focus === null) return;
    if ('operation' in focus) this.#post({ type: 'showOperation', operation: focus.operation });
    else this.#post({ type: 'focus', ...focus });
  }

  async #receive(message: unknown): Promise<void> {
    if (!isPageMessage(message)) {
      const id = idOf(message);
      const text = 'The flamegraph page asked for something unknown: close the flamegraph and open it again.';
      if (id === null) this.#log.warn(text);
      else this.#fail(id, text); // The page waits for an answer.
      return;
    }
    if (message.type === 'ready') {
      this.#isReady = true;
      this.#shown = null;
      await this.#load();
    } else if (this.#wanted !== null) {
      await (isQuestion(message) ? this.#answers.answer(message, this.#wanted) : this.#follow(message));
    }
  }

  async #follow(message: Exclude<PageMessage, PageQuestion | { readonly type: 'ready' }>): Promise<void> {
    switch (message.type) {
      case 'profileAgain':
        await commands.executeCommand(ids.profileAgain);
        return undefined;
      case 'recordTiers':
        this.#awaitsTiers = true;
        await commands.executeCommand(ids.recordTiers, { recording: this.#result });
        return undefined;
      case 'openTiers':
        return this.#secondRun === null ? undefined : this.#showWanted(this.#secondRun);
      case 'openProfile':
        return this.#backToProfile();
      case 'copy':
      case 'savePicture':
        return takeAway(message, this.panel.title, this.#log);
    }
  }

  /** Goes from tiers back to the profile that they belong to; where that is not known, to the newest result. */
  async #backToProfile(): Promise<void> {
    const own = this.#result === this.#shown ? null : this.#result;
    const profile = own ?? this.#results.summary?.recording ?? null;
    if (profile !== null) await this.show(profile);
  }

  /** The result that the page belongs to; after a reload of the window, where that is not known, the newest. */
  #ownResult(): Summary | null {
    const own = this.#results.all.find(({ summary }) => summary.recording === this.#result);
    return own?.summary ?? this.#results.summary;
  }

  #fail(id: number | null, text: string): void {
    this.#log.error(text);
    this.#post({ type: 'failed', id, text });
  }

  #post(message: HostMessage): void {
    inLog(this.panel.webview.postMessage(message), this.#log);
  }
}

/** Why a diff begins with the whole graph. */
function notInDiff(name: string): string {
  return `No run reached ${visible(name, 200)}: this is the whole graph.`;
}

/** `name` is that of `nameOfDiff`. */
function showDiffMessage(name: string, { title, verdict }: DiffSummary): HostMessage {
  const facts = { finding: null, isTiers: false, isSecondRun: false, isDiff: true, startedAt: null };
  const { thresholdUs } = analysisOptions();
  return { type: 'show', recording: name, title, verdict, folders: openFolders(), thresholdUs, ...facts };
}

/** `result` is the result that the page belongs to, whose figures the lines show. */
function showMessage(shown: Summary, result: Summary | null): HostMessage {
  const { recording, title, verdict, thresholdUs, isTiers, startedAt, isForeign, isUnseen } = shown;
  const finding = shown.opensAt;
  const isSecondRun = isTiers && result !== null && result.recording !== recording;
  const others = isForeign || isUnseen ? { isOthersAlone: true as const } : {};
  const facts = { finding, isTiers, isSecondRun, isDiff: false, startedAt, ...others };
  return { type: 'show', recording, title, verdict, folders: openFolders(), thresholdUs, ...facts };
}

function openFolders(): readonly string[] {
  return (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString().replace(/\/$/, ''));
}
