import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Answer, Asked, QuestionName } from '../../language-server/recordings/questions.ts';
import { type DiffSides, diffNamed, nameOfDiff } from '../../protocol/diff.ts';
import { commands as ids } from '../../protocol/ids.ts';
import { fieldsOf, parseJson } from '../../protocol/json-value.ts';
import type { Place } from '../../protocol/places.ts';
import { recordingFile } from '../../protocol/recording.ts';
import { type OpenParams, locateRequest, openDiffRequest, openRequest } from '../../protocol/requests.ts';
import type { DiffPlace, DiffReference } from '../../protocol/rechecks.ts';
import type { Summary } from '../../protocol/summary.ts';
import { idOf, isPageMessage } from '../../protocol/webview-guard.ts';
import { type HostMessage, type PageMessage, firstAsideId } from '../../protocol/webview.ts';
import { shownMessage } from '../../words/editor/notifications.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import type { Services } from '../results/results.ts';
import { inLog, on, showFailure } from '../ui/failures.ts';
import { type TextsBefore, openSourceAt } from '../ui/open-source.ts';
import { analysisOptions } from '../ui/settings.ts';

/** For a panel that VS Code restores: it is in the same bundle. */
export { isPageState } from '../../protocol/webview-guard.ts';

/** A function (with `alone`: in the operation in which it held the loop longest), or one operation by its number. */
export type FlamePlace = { readonly functionId: number; readonly alone: boolean } | { readonly operation: number };

export class FlamePage implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly #services: Services;
  readonly #texts: Pick<TextsBefore, 'open'>;
  readonly #listening: vscode.Disposable;
  #wanted: string | null = null;
  /** What the page shows, also while something else is read; null where it shows nothing, or a failure alone. */
  #shown: string | null = null;
  #result: string | null = null;
  #focus: FlamePlace | null = null;
  /** The place in a diff that the page should go to. */
  #place: DiffPlace | null = null;
  #isReady = false;
  readonly #reading = new vscode.CancellationTokenSource();
  /** The latest question of each name; all side requests share one. */
  readonly #asked = new Map<string, vscode.CancellationTokenSource>();
  /** The recording of tiers that the last answer named. */
  #secondRun: string | null = null;
  /** The page asked for tiers, and shows them once they are recorded. */
  #awaitsTiers = false;

  /** The panel must not have a document yet: the page's first message could be missed. */
  constructor(panel: vscode.WebviewPanel, services: Services, texts: Pick<TextsBefore, 'open'>) {
    this.panel = panel;
    this.#services = services;
    this.#texts = texts;
    const receive = async (message: unknown): Promise<unknown> => this.#receive(message);
    this.#listening = vscode.Disposable.from(
      on(panel.webview.onDidReceiveMessage, receive, services.log),
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.#dropped();
      }),
    );
  }

  /** The recording whose result the page belongs to; the page may show the tiers of that result instead. */
  get result(): string | null {
    return this.#result;
  }

  async show(recording: string, place?: FlamePlace): Promise<void> {
    this.#result = recording;
    await this.#showWanted(recording, place);
  }

  async #showWanted(recording: string, place?: FlamePlace): Promise<void> {
    // Neither the progress nor a failure may stay once the page goes back to what it showed. The server knows whether the
    // recordings of a diff were made again.
    const isThere = this.#wanted === recording && this.#shown === recording && diffNamed(recording) === null;
    this.#wanted = recording;
    this.#awaitsTiers = false;
    this.#focus = place ?? null;
    if (isThere) this.#sendFocus();
    else await this.#load();
  }

  /** Shows a result that the server has just read; the same one keeps its zoom and filters, or its tiers on the page. */
  follow(summary: Summary): void {
    if (summary.recording !== this.#result) {
      this.#result = summary.recording;
      this.#wanted = summary.recording;
      this.#awaitsTiers = false;
      this.#focus = null;
    }
    if (this.#wanted !== this.#result) this.refresh();
    else if (this.#isReady) this.#present(summary);
  }

  /** Has the page ask again: more is known of what it shows. */
  refresh(): void {
    if (this.#shown !== null) this.#post({ type: 'refresh' });
  }

  /** Reads the recording or the diff again, by the settings of now. */
  async readAgain(): Promise<void> {
    const recording = this.#result;
    if (recording === null) return;
    if (diffNamed(recording) !== null) {
      await this.#load();
      return;
    }
    const { server, log } = this.#services;
    const answer = await server.ask(openRequest, openParams(recording));
    if (answer.type === 'failed') log.warn(answer.message);
    if (answer.type === 'opened' && this.#result === recording) this.follow(answer.summary);
  }

  /** Shows the tiers that the page waits for. Another run may have recorded those of another command meanwhile. */
  async takeTiers(recording: string): Promise<void> {
    const own = this.#result;
    if (!this.#awaitsTiers || own === null || (await commandOf(own)) !== (await commandOf(recording))) return;
    if (this.#awaitsTiers && this.#result === own) await this.#showWanted(recording);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#wanted = null; // So that no late answer is sent to the page.
    this.#reading.cancel();
    this.#reading.dispose();
    for (const source of this.#asked.values()) source.cancel();
  }

  /** VS Code drops the document of a tab behind another one. The next one says when it is ready. */
  #dropped(): void {
    this.#isReady = false;
    this.#shown = null;
  }

  async #load(): Promise<void> {
    const recording = this.#wanted;
    if (recording === null || !this.#isReady) return;
    this.#post({ type: 'loading', text: 'Reading the recording…' });
    const diff = diffNamed(recording);
    try {
      await (diff === null ? this.#read(recording) : this.#readDiff(recording, diff));
    } catch (error) {
      if (recording === this.#wanted) this.#fail(null, shownMessage(error));
    }
  }

  async #read(recording: string): Promise<void> {
    const shown = this.#services.results.all.find(({ summary }) => summary.recording === recording);
    const { token } = this.#reading;
    const answer = await this.#services.server.ask(openRequest, openParams(recording, shown?.summary.more), { token });
    if (recording !== this.#wanted) return; // The person has asked for another one meanwhile.
    if (answer.type === 'failed') this.#fail(null, answer.message);
    else if (answer.type === 'opened') this.#present(answer.summary);
  }

  async #readDiff(name: string, sides: DiffSides): Promise<void> {
    const params = { ...sides, options: analysisOptions() };
    const answer = await this.#services.server.ask(openDiffRequest, params, {
      token: this.#reading.token,
      onProgress: ({ message }) => {
        if (name === this.#wanted) this.#post({ type: 'loading', text: `Reading ${message}…` });
      },
    });
    if (name !== this.#wanted) return;
    if (answer.type === 'failed') {
      this.#fail(null, answer.message);
      return;
    }
    const { title, verdict, written = '' } = answer.summary;
    this.panel.title = `Diff: ${visible(title, 200)}`;
    const { thresholdUs } = analysisOptions();
    const facts = { written, finding: null, isTiers: false, isSecondRun: false, isDiff: true, startedAt: null };
    this.#post({ type: 'show', recording: name, title, verdict, folders: openFolders(), thresholdUs, ...facts });
    this.#shown = name;
    await this.#goToPlace(name);
  }

  #present(summary: Summary): void {
    this.panel.title = `Flamegraph: ${visible(summary.title, 200)}`;
    this.#post(showMessage(summary, this.#ownResult()));
    this.#shown = summary.recording;
    this.#sendFocus();
  }

  async showDiff({ base, head, place }: DiffReference): Promise<void> {
    const name = nameOfDiff({ base, head });
    this.#place = place;
    await this.show(name);
  }

  async #goToPlace(recording: string): Promise<void> {
    const place = this.#place;
    this.#place = null;
    if (place === null) return;
    const found = await this.#services.server.about(recording, 'find', place);
    if (recording !== this.#wanted) return;
    if (found !== null) this.#post({ type: 'focus', ...found, alone: true });
    else this.#post({ type: 'note', text: `No run reached ${visible(place.name, 200)}: this is the whole graph.` });
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
      if (id === null) this.#services.log.warn(text);
      else this.#fail(id, text); // The page waits for an answer.
    } else if (message.type === 'ready') {
      this.#isReady = true;
      this.#shown = null;
      await this.#load();
    } else if (this.#shown !== null) await this.#answer(message, this.#shown);
  }

  async #answer(message: Exclude<PageMessage, { readonly type: 'ready' }>, recording: string): Promise<unknown> {
    switch (message.type) {
      case 'query':
        return this.#ask(message.id, recording, 'flame', message.query, (id, answer) => {
          this.#secondRun = answer.tiers?.type === 'secondRun' ? answer.tiers.recording : null;
          return { type: 'answer', id, answer };
        });
      case 'search':
        return this.#ask(message.id, recording, 'search', message.search, (id, answer) => {
          return { type: 'searchAnswer', id, answer };
        });
      case 'timeline':
        return this.#ask(message.id, recording, 'timeline', message.timeline, (id, answer) => {
          return { type: 'timelineAnswer', id, answer };
        });
      case 'openSource':
        return this.#open(recording, { url: message.url, line: message.line });
      case 'openBefore':
        return this.#openBefore(recording, message.functionId);
      case 'openDeopt':
        return this.#open(recording, { functionId: message.functionId, deopt: message.deopt });
      case 'profileAgain':
        return vscode.commands.executeCommand(ids.profileAgain);
      case 'recordTiers':
        this.#awaitsTiers = true;
        return vscode.commands.executeCommand(ids.recordTiers, { recording: this.#result });
      case 'openTiers':
        return this.#secondRun === null ? undefined : this.#showWanted(this.#secondRun);
      case 'openProfile':
        return this.#backToProfile();
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return vscode.window.setStatusBarMessage('Copied', STATUS_MS);
      case 'savePicture':
        return savePicture(message, this.panel.title, this.#services.log);
    }
  }

  /** Asks the server. A new question cancels the one of the same name before it, whose answer would not be shown. */
  async #ask<Name extends QuestionName>(
    id: number,
    recording: string,
    name: Name,
    asked: Asked<Name>,
    messageOfAnswer: (id: number, answer: Answer<Name>) => HostMessage,
  ): Promise<void> {
    const kind = id < firstAsideId ? name : 'aside';
    this.#asked.get(kind)?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.#asked.set(kind, source);
    const { token } = source;
    try {
      this.#post(messageOfAnswer(id, await this.#services.server.about(recording, name, asked, { token })));
    } catch (error) {
      if (!token.isCancellationRequested) this.#fail(id, shownMessage(error));
    }
  }

  async #open(recording: string, place: Place): Promise<void> {
    const { server, log } = this.#services;
    await openSourceAt(await server.ask(locateRequest, { recording, ...place }), log);
  }

  async #openBefore(recording: string, functionId: number): Promise<void> {
    const text = await this.#services.server.about(recording, 'textBefore', functionId);
    if (text === null) this.#post({ type: 'note', text: textNotKept });
    else await this.#texts.open(text);
  }

  /** Goes from tiers back to the profile that they belong to; where that is not known, to the newest result. */
  async #backToProfile(): Promise<void> {
    const own = this.#result === this.#shown ? null : this.#result;
    const profile = own ?? this.#services.results.summary?.recording ?? null;
    if (profile !== null) await this.show(profile);
  }

  /** The result that the page belongs to; where that is not known, after a reload of the window, the newest. */
  #ownResult(): Summary | null {
    const { all, summary } = this.#services.results;
    return all.find((one) => one.summary.recording === this.#result)?.summary ?? summary;
  }

  #fail(id: number | null, text: string): void {
    this.#services.log.error(text);
    if (id === null) this.#shown = null;
    this.#post({ type: 'failed', id, text });
  }

  #post(message: HostMessage): void {
    inLog(this.panel.webview.postMessage(message), this.#services.log);
  }
}

/** How long the status bar shows a message, in ms. */
const STATUS_MS = 4_000;

const textNotKept =
  'This function is gone, and the recording has not kept the text that ran: there is nothing to open.';

/** `result` is the result that the page belongs to; the lines show its figures. */
function showMessage(shown: Summary, result: Summary | null): HostMessage {
  const { recording, written = '', title, verdict, thresholdUs, isTiers, startedAt, opensAt: finding } = shown;
  const isSecondRun = isTiers && result !== null && result.recording !== recording;
  const others = shown.isForeign || shown.isUnseen ? { isOthersAlone: true as const } : {};
  const facts = { finding, isTiers, isSecondRun, isDiff: false, startedAt, ...others };
  return { type: 'show', recording, written, title, verdict, folders: openFolders(), thresholdUs, ...facts };
}

/** What was run, and where: the same for a recording and for that of its tiers. */
async function commandOf(recording: string): Promise<string> {
  const text = await readFile(path.join(recording, recordingFile), 'utf8').catch(() => '');
  const { command, cwd } = fieldsOf(parseJson(text));
  return JSON.stringify([command, cwd]);
}

function openParams(recording: string, more: readonly string[] = []): OpenParams {
  return { recording, more, shownAs: null, options: analysisOptions() };
}

function openFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString().replace(/\/$/, ''));
}

/** Saves a picture of the page where the person chooses. `title` is that of the tab. */
async function savePicture(
  { form, data }: Extract<PageMessage, { readonly type: 'savePicture' }>,
  title: string,
  log: Services['log'],
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({
    title: form === 'svg' ? 'Save the flamegraph as SVG' : 'Save the flamegraph as PNG',
    saveLabel: 'Save',
    defaultUri: vscode.Uri.joinPath(folder, `${baseNameOf(title)}.${form}`),
    filters: { [form.toUpperCase()]: [form] },
  });
  if (target === undefined) return;
  try {
    await vscode.workspace.fs.writeFile(target, Buffer.from(data, form === 'svg' ? 'utf8' : 'base64'));
    vscode.window.setStatusBarMessage(`Saved ${target.path.split('/').at(-1) ?? ''}`, STATUS_MS);
  } catch (error) {
    showFailure(`The picture could not be saved (${shownMessage(error)}): choose another place.`, log);
  }
}

/** `flamegraph-npm-test`: a name that every file system allows, whatever was run. */
function baseNameOf(title: string): string {
  const words = title.replace(/^Flamegraph: /, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = ['flamegraph', ...words].join('-').slice(0, 70);
  return name.replace(/[\ud800-\udbff]$/, ''); // Half of a character.
}
