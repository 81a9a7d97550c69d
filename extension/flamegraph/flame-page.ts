import {
  CancellationTokenSource,
  type Disposable,
  type LogOutputChannel,
  type WebviewPanel,
  commands,
  workspace,
  Uri,
  env,
  window,
  type CancellationToken,
} from 'vscode';
import { type DiffSides, diffNamed, nameOfDiff } from '../../protocol/diff.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { commands as ids } from '../../protocol/ids.ts';
import {
  type DiffPlace,
  type DiffReference,
  openDiffRequest,
  openRequest,
  type DiffSummary,
  locateRequest,
} from '../../protocol/requests.ts';
import type { Summary } from '../../protocol/summary.ts';
import { idOf, isPageMessage } from '../../protocol/webview-guard.ts';
import { type HostMessage, type PageMessage, type PictureForm, firstAsideId } from '../../protocol/webview.ts';
import { inLog, on, showFailure } from '../ui/failures.ts';
import type { Results } from '../results/results.ts';
import type { Services } from '../results/services.ts';
import { analysisOptions } from '../ui/settings.ts';
import { type TextsBefore, openSourceAt } from '../ui/open-source.ts';
import { homedir } from 'node:os';
import type { FlameAnswer } from '../../protocol/flame.ts';
import type { Place } from '../../protocol/places.ts';
import type { Answer, Asked, QuestionName } from '../../language-server/recordings/questions.ts';
import { messageOf } from '../../words/editor/notifications.ts';
import type { Server } from '../results/server.ts';

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

/** How long the status bar says what was done, in ms. */
const saidFor = 4_000;

type Taken = Extract<PageMessage, { readonly type: 'copy' | 'savePicture' }>;

/** Copies the text of a page, or saves its picture where the person chooses. `title` is that of the tab. */
export async function takeAway(taken: Taken, title: string, log: LogOutputChannel): Promise<void> {
  if (taken.type === 'savePicture') return savePicture(taken, title, log);
  await env.clipboard.writeText(taken.text);
  window.setStatusBarMessage('Copied', saidFor);
  return undefined;
}

async function savePicture(
  { form, data }: Extract<Taken, { readonly type: 'savePicture' }>,
  title: string,
  log: LogOutputChannel,
): Promise<void> {
  const name = fileNameOf(title, form);
  const target = await window.showSaveDialog({
    title: form === 'svg' ? 'Save the flamegraph as SVG' : 'Save the flamegraph as PNG',
    saveLabel: 'Save',
    defaultUri: Uri.joinPath(workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir()), name),
    filters: form === 'svg' ? { SVG: ['svg'] } : { PNG: ['png'] },
  });
  if (target === undefined) return;
  try {
    await workspace.fs.writeFile(target, Buffer.from(data, form === 'svg' ? 'utf8' : 'base64'));
    window.setStatusBarMessage(`Saved ${target.path.split('/').at(-1) ?? name}`, saidFor);
  } catch (error) {
    await showFailure(`The picture could not be saved (${messageOf(error)}): choose another place.`, log);
  }
}

/** `flamegraph-npm-test.svg`: a name that every file system can have, whatever was run. */
function fileNameOf(title: string, form: PictureForm): string {
  const words = title.replace(/^Flamegraph: /, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${['flamegraph', ...words]
    .join('-')
    .slice(0, 70)
    .replace(/[\ud800-\udbff]$/, '')}.${form}`;
}

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
