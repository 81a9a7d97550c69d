import { maxOf } from '../../protocol/figures.ts';
import * as vscode from 'vscode';
import { type KeptResult, SharedResults, KeptResults } from './kept-results.ts';
import { inLog, on, showFailure } from '../ui/failures.ts';
import { FollowedCode } from './follow-code.ts';
import { contextKeys, settings } from '../../protocol/ids.ts';
import type { PathSuggestion } from '../../protocol/path-spelling.ts';
import type { OpenAnswer, ResultsNow } from '../../protocol/requests.ts';
import { configureRequest, forgetRequest, takeTiersRequest } from '../../protocol/requests.ts';
import { allLenses, displayOptions, ShownPaths } from '../ui/settings.ts';
import { LastRun } from './last-run.ts';
import { readRecording, Server } from './server.ts';
import { type Summary, isReplacedBy } from '../../protocol/summary.ts';
import { resultLabel } from '../../words/formats/command-text.ts';

export interface ShownResult extends KeptResult {
  readonly summary: Summary;
  readonly elsewhere?: PathSuggestion;
}

/** The results on screen, one of each target. */
export class Results implements vscode.Disposable {
  readonly #server: Server;
  readonly #log: vscode.LogOutputChannel;
  readonly #kept: KeptResults;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Other results, another threshold, another metric, or nothing is shown now. */
  readonly onDidChange = this.#changed.event;
  readonly #listening: vscode.Disposable;
  /** Owns what is being read. */
  readonly #readings = new Readings();
  /** Owns what all windows show. */
  readonly #shared: SharedResults;
  /** Owns what became of them since. */
  readonly #followed: FollowedCode;
  #shown: readonly ShownResult[] = [];
  /** Counts how often all results were read again. */
  #rounds = 0;

  constructor(server: Server, log: vscode.LogOutputChannel, kept: KeptResults) {
    this.#server = server;
    this.#log = log;
    this.#kept = kept;
    this.#shared = new SharedResults(kept, log, {
      known: () => this.#known,
      take: async (wanted) => this.#take(wanted),
      forget: async (target) => this.forget(target),
    });
    this.#followed = new FollowedCode(server, log, (now) => this.#showNow(now));
    this.#listening = vscode.Disposable.from(
      this.#shared,
      on(vscode.workspace.onDidChangeConfiguration, async (event) => this.#configure(event), log),
      // They decide which code is the user's own. The language client, which listens too, tells the server first.
      on(vscode.workspace.onDidChangeWorkspaceFolders, async () => this.#openAgain(true), log),
      server.onDidRestart(({ waitUntil }) => waitUntil(this.#openAgain(false))),
      this.#followed,
    );
  }

  /** The newest first. */
  get all(): readonly ShownResult[] {
    return this.#shown;
  }

  get summary(): Summary | null {
    return this.#shown[0]?.summary ?? null;
  }

  /** Files that seem to be here under other paths; null where there are none. */
  elsewhereOf({ recording }: Summary): PathSuggestion | null {
    return this.#shown.find(({ summary }) => summary.recording === recording)?.elsewhere ?? null;
  }

  /** Shows what was shown before a reload, and from then on what other windows show. Later calls do nothing. */
  async restore(): Promise<void> {
    return this.#shared.restore();
  }

  /** Ends when this recording is shown, or all that was shown before a reload. */
  async restored(recording: string): Promise<void> {
    const isShown = (): boolean => this.#shown.some(({ summary }) => summary.recording === recording);
    if (isShown()) return;
    const listening = new Set<vscode.Disposable>();
    const shown = new Promise<void>((resolve) => {
      listening.add(this.onDidChange(() => (isShown() ? resolve() : undefined)));
    });
    await Promise.race([shown, this.restore()]);
    for (const one of listening) one.dispose();
  }

  /**
   * Analyses a recording, or several together, and shows it. Null where that fails (`sayFailed` says why), is
   * cancelled, or is overtaken by another recording of the target: then the previous one stays.
   */
  async open(
    recording: string,
    more: readonly string[] = [],
    sayFailed = (message: string): void => showFailure(message, this.#log),
  ): Promise<Summary | null> {
    const wanted = this.#kept.resultOf([recording, ...more], this.#now());
    const answer = await this.#read(wanted, false);
    if (answer?.type === 'failed') sayFailed(answer.message);
    if (answer?.type !== 'opened') return null;
    const { summary } = answer;
    for (const warning of summary.warnings) this.#log.warn(warning);
    await this.#show(shownResult(wanted, answer), answer.dropped);
    await this.#keep(wanted);
    // A profile takes over the tiers that were recorded of the same command: they are not results any more.
    const tiers = this.#shown.filter((one) => isTiersOf(one.summary, summary));
    for (const { target } of tiers) await this.forget(target);
    return summary;
  }

  /** Reads a result on screen again. One that a newer recording of its target has replaced, or is about to, stays away. */
  async readAgain(recording: string): Promise<void> {
    const shown = this.#shown.find(({ summary }) => summary.recording === recording);
    const newer = this.#readings.wanted.find((one) => one.target === shown?.target && one.recordings[0] !== recording);
    if (shown !== undefined && newer === undefined) await this.open(recording, shown.summary.more);
  }

  async takeTiers(): Promise<void> {
    if (this.#shown.length === 0 || !this.#server.isStarted) return;
    await this.#server.ask(takeTiersRequest, null);
    this.#changed.fire();
  }

  /** Forgets the result of a target, in all windows of the workspace. */
  async forget(target: string): Promise<void> {
    const token = this.#readings.next(target, null);
    await this.#shared.forget(target);
    if (this.#server.isStarted && !token.isCancellationRequested) await this.#server.ask(forgetRequest, { target });
    if (!token.isCancellationRequested) this.#replace(this.#shown.filter((one) => one.target !== target));
  }

  /** Forgets all results, in all windows. What is opened meanwhile is shown. */
  async clear(): Promise<void> {
    await this.#shared.clear(this.#known.map(({ target }) => target));
  }

  /** Has everything on screen show what a re-check has changed. */
  async follow(): Promise<void> {
    await this.#followed.ask(true);
  }

  /** Applies display options: lenses, marks and lists ask again. */
  async drawAgain(): Promise<void> {
    if (!this.#server.isStarted) return;
    await this.#server.ask(configureRequest, displayOptions());
    this.#changed.fire();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#readings.dispose();
    this.#changed.dispose();
  }

  async #read(
    wanted: KeptResult,
    isQuiet: boolean,
    token = this.#readings.next(wanted.target, wanted),
  ): Promise<OpenAnswer | null> {
    const { target, isOurs, shownAt } = wanted;
    const [recording, ...more] = wanted.recordings;
    const params = { recording, more, shownAs: { target, isOurs, shownAt } };
    const answer = await readRecording(this.#server, params, token, isQuiet).finally(() => {
      this.#readings.done(target, token);
    });
    if (!token.isCancellationRequested) return answer;
    const again = this.#readings.tokenOf(wanted);
    return again === null ? null : this.#read(wanted, isQuiet, again);
  }

  /** `dropped`: targets that no longer fit into memory. */
  async #show(result: ShownResult, dropped: readonly string[]): Promise<void> {
    const replaced = this.#shown.filter((old) => isReplacedBy(old, result));
    const all = [result, ...this.#shown.filter((old) => !replaced.includes(old))];
    const isDropped = ({ target }: ShownResult): boolean => dropped.includes(target);
    this.#replace(all.filter((one) => !isDropped(one)).toSorted((a, b) => b.shownAt - a.shownAt));
    for (const { summary } of all.filter(isDropped))
      this.#log.warn(
        `The result of ${resultLabel(summary)} is no longer shown, because there is memory for eight results, or fewer large ones: open its recording again.`,
      );
    const gone = [...replaced, ...all.filter(isDropped)].filter(({ target }) => !this.#isShown(target));
    for (const { target } of gone) await this.#shared.forget(target);
  }

  /** Keeps a result, unless it has left the screen meanwhile. */
  async #keep(result: KeptResult): Promise<void> {
    const { target, shownAt } = result;
    const isShown = this.#shown.some((one) => one.target === target && one.shownAt === shownAt);
    if (isShown) await this.#shared.keep(result);
  }

  #replace(shown: readonly ShownResult[]): void {
    this.#shown = shown;
    const hasHotspots = shown.some(({ summary }) => summary.hotspotCount > 0);
    if (shown.length > 0) this.#followed.watchFiles();
    this.#setContext(contextKeys.hasResult, shown.length > 0);
    this.#setContext(
      contextKeys.hasRecheck,
      shown.some(({ summary }) => summary.hasRecheck === true),
    );
    this.#setContext(contextKeys.hasHotspots, hasHotspots);
    this.#changed.fire();
  }

  #showNow({ summaries }: ResultsNow): void {
    const now = new Map(summaries.map((summary) => [summary.recording, summary]));
    this.#replace(this.#shown.map((one) => ({ ...one, summary: now.get(one.summary.recording) ?? one.summary })));
  }

  #setContext(key: string, value: boolean): void {
    inLog(vscode.commands.executeCommand('setContext', key, value), this.#log);
  }

  /** Ms since the epoch, later than all results. */
  #now(): number {
    return Math.max(Date.now(), maxOf(this.#known.map(({ shownAt }) => shownAt + 1)));
  }

  #isShown(target: string): boolean {
    return this.#shown.some((one) => one.target === target);
  }

  get #known(): readonly KeptResult[] {
    return [...this.#shown, ...this.#readings.wanted];
  }

  async #take(wanted: KeptResult): Promise<string | null> {
    const answer = await this.#read(wanted, true);
    if (answer?.type === 'opened') await this.#show(shownResult(wanted, answer), answer.dropped);
    return answer?.type === 'failed' ? answer.message : null;
  }

  /**
   * Reads all results on screen again. By other settings or folders (`isOtherwise`) those being read begin again; those of
   * a server that ended `Server.ask` repeats itself.
   */
  async #openAgain(isOtherwise: boolean): Promise<void> {
    this.#rounds++;
    const round = this.#rounds;
    const reading = this.#readings.wanted;
    if (isOtherwise) for (const one of reading) this.#readings.next(one.target, one);
    const shown = this.#shown.filter(({ target }) => !reading.some((one) => one.target === target));
    const all = shown.map((one) => ({ one, last: this.#readings.last(one.target) }));
    for (const { one, last } of all) {
      if (this.#rounds !== round) return;
      // Opened, forgotten or dropped meanwhile.
      if (last !== this.#readings.last(one.target) || !this.#isShown(one.target)) continue;
      const answer = await this.#read(one, !isOtherwise || all.length > 1);
      if (answer?.type === 'failed' && isOtherwise) showFailure(answer.message, this.#log);
      else if (answer?.type === 'failed') this.#leave(one, answer.message);
      if (answer?.type === 'opened') await this.#show(shownResult(one, answer), answer.dropped);
    }
  }

  /** A new server does not know a result that it cannot read: its row without marks would be wrong. */
  #leave(result: KeptResult, why: string): void {
    const left = this.#shown.find(({ target }) => target === result.target);
    if (left === undefined) return;
    this.#shared.leave(result);
    this.#replace(this.#shown.filter((one) => one !== left));
    const name = resultLabel(left.summary);
    showFailure(`The result of ${name} is no longer shown: ${why}`, this.#log);
  }

  async #configure(event: vscode.ConfigurationChangeEvent): Promise<void> {
    if (isOfReading(event)) await this.#openAgain(true);
    const { metric, codeLens, loading, annotations, diagnosticsThreshold } = settings;
    const drawn = [metric, codeLens, allLenses, loading, annotations, diagnosticsThreshold];
    if (isAny(event, ...drawn)) await this.drawAgain();
  }
}

/** Whether recordings have to be read again. */
export function isOfReading(event: vscode.ConfigurationChangeEvent): boolean {
  return isAny(event, settings.threshold, settings.testPatterns, settings.pathMappings);
}

function isAny(event: vscode.ConfigurationChangeEvent, ...names: readonly string[]): boolean {
  return names.some((name) => event.affectsConfiguration(name));
}

/** Everything from the server, nothing from an earlier reading. */
function shownResult({ target, isOurs, shownAt, recordings }: KeptResult, { summary, elsewhere }: Opened): ShownResult {
  return { target, isOurs, shownAt, recordings, summary, ...(elsewhere === undefined ? {} : { elsewhere }) };
}

type Opened = Extract<OpenAnswer, { readonly type: 'opened' }>;

/** Whether the first is of V8's tiers of the second's command. */
function isTiersOf(tiers: Summary, { title, where, isTiers }: Summary): boolean {
  return tiers.isTiers && !isTiers && tiers.title === `V8 tiers of ${title}` && tiers.where === where;
}

class Readings implements vscode.Disposable {
  readonly #last = new Map<
    string,
    { readonly source: vscode.CancellationTokenSource; readonly wanted: KeptResult | null }
  >();

  get wanted(): readonly KeptResult[] {
    return [...this.#last.values()].flatMap(({ wanted }) => wanted ?? []);
  }

  /** Cancels earlier readings of the target. `wanted` is null where nothing is read any more. */
  next(target: string, wanted: KeptResult | null): vscode.CancellationToken {
    this.#cancel(target);
    const source = new vscode.CancellationTokenSource();
    this.#last.set(target, { source, wanted });
    return source.token;
  }

  /** The token of the target's last reading, which may have ended. */
  last(target: string): vscode.CancellationToken | undefined {
    return this.#last.get(target)?.source.token;
  }

  /** The token of a result that is being read; null where that ended, or the target has another. */
  tokenOf(wanted: KeptResult): vscode.CancellationToken | null {
    const last = this.#last.get(wanted.target);
    return last?.wanted === wanted ? last.source.token : null;
  }

  /** The reading has ended; its token stays the target's last one. */
  done(target: string, token: vscode.CancellationToken): void {
    const last = this.#last.get(target);
    if (last?.source.token === token) this.#last.set(target, { source: last.source, wanted: null });
  }

  dispose(): void {
    for (const target of this.#last.keys()) this.#cancel(target);
  }

  #cancel(target: string): void {
    const last = this.#last.get(target);
    last?.source.cancel();
    last?.source.dispose();
  }
}

export interface Services {
  readonly log: vscode.LogOutputChannel;
  readonly server: Server;
  readonly results: Results;
  readonly shown: ShownPaths;
  readonly lastRun: LastRun;
  /** Command lines that measure now, by names for the person. An agent measures only where there is none. */
  readonly measuring: Set<{ readonly name: string }>;
}

/** Made once, in `activate`. */
export function createServices(context: vscode.ExtensionContext): Services {
  const log = vscode.window.createOutputChannel('Hotspan', { log: true });
  const shown = new ShownPaths(context.workspaceState);
  const server = new Server(context, log, shown);
  const kept = new KeptResults(context, log);
  const lastRun = new LastRun(log);
  const results = new Results(server, log, kept);
  context.subscriptions.push(
    log,
    server,
    results,
    kept,
    shown,
    lastRun,
    on(shown.onDidChange, async () => results.drawAgain(), log),
  );
  return { log, server, results, shown, lastRun, measuring: new Set() };
}
