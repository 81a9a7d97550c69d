import {
  type ConfigurationChangeEvent,
  Disposable,
  type Event,
  EventEmitter,
  type LogOutputChannel,
  commands,
  workspace,
  type CancellationToken,
  CancellationTokenSource,
} from 'vscode';
import { readRecording } from './read-recording.ts';
import type { KeptResult, KeptResults } from './kept-results.ts';
import { type Screen, SharedResults } from './shared-results.ts';
import { inLog, on, showFailure } from '../ui/failures.ts';
import { contextKeys, settings } from '../../protocol/ids.ts';
import type { PathSuggestion } from '../../protocol/path-rules.ts';
import { isReplacedBy } from '../../protocol/results.ts';
import { type OpenAnswer, configureRequest, forgetRequest, takeTiersRequest } from '../../protocol/requests.ts';
import type { Summary } from '../../protocol/summary.ts';
import { resultLabel } from '../../words/formats/command-text.ts';
import type { Server } from './server.ts';
import { displayOptions } from '../ui/settings.ts';

/** A result on screen. */
export interface ShownResult extends KeptResult {
  readonly summary: Summary;
  /** Files of it that seem to be here under other paths. */
  readonly elsewhere?: PathSuggestion;
}

/** The results whose figures the editor shows, one of each target; nothing is shown before there is one. */
export class Results implements Disposable {
  readonly #server: Server;
  readonly #log: LogOutputChannel;
  readonly #kept: KeptResults;
  readonly #changed = new EventEmitter<void>();
  readonly #listening: Disposable;
  /** Owns what is being read. */
  readonly #readings = new Readings();
  /** Owns what all windows of the workspace show. */
  readonly #shared: SharedResults;
  #shown: readonly ShownResult[] = [];
  /** Counts how often all results were asked for again. */
  #rounds = 0;

  constructor(server: Server, log: LogOutputChannel, kept: KeptResults) {
    this.#server = server;
    this.#log = log;
    this.#kept = kept;
    this.#shared = new SharedResults(kept, log, this.#screen());
    this.#listening = Disposable.from(
      this.#shared,
      on(workspace.onDidChangeConfiguration, async (event) => this.#configure(event), log),
      server.onDidRestart(({ waitUntil }) => waitUntil(this.#openAfterRestart())),
    );
  }

  /** Other results, another threshold, another metric, or nothing is shown now. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** The newest first. */
  get all(): readonly ShownResult[] {
    return this.#shown;
  }

  /** The newest result; null while there is none. */
  get summary(): Summary | null {
    return this.#shown[0]?.summary ?? null;
  }

  /** Files of a result that seem to be here under other paths; null where there are none. */
  elsewhereOf({ recording }: Summary): PathSuggestion | null {
    return this.#shown.find(({ summary }) => summary.recording === recording)?.elsewhere ?? null;
  }

  /**
   * Shows what this workspace showed before the window was reloaded, and from then on what its other windows show; only
   * the first call does anything. Says nothing where a recording is gone.
   */
  async restore(): Promise<void> {
    return this.#shared.restore();
  }

  /** Ends when a recording is on screen, or all that was there before the window was reloaded. */
  async restored(recording: string): Promise<void> {
    const isShown = (): boolean => this.#shown.some(({ summary }) => summary.recording === recording);
    if (isShown()) return;
    const listening = new Set<Disposable>();
    const shown = new Promise<void>((resolve) => {
      listening.add(this.onDidChange(() => (isShown() ? resolve() : undefined)));
    });
    await Promise.race([shown, this.restore()]);
    for (const one of listening) one.dispose();
  }

  /**
   * Analyses a recording, or several together, and shows it. Null where that failed (`sayFailed` tells the person), was cancelled, or
   * where another recording of the same target was asked for meanwhile: then the previous one stays on screen.
   */
  async open(
    recording: string,
    more: readonly string[] = [],
    sayFailed = async (message: string): Promise<void> => showFailure(message, this.#log),
  ): Promise<Summary | null> {
    const wanted = this.#kept.resultOf([recording, ...more], this.#now());
    const answer = await this.#read(wanted, false);
    if (answer?.type === 'failed') inLog(sayFailed(answer.message), this.#log);
    if (answer?.type !== 'opened') return null;
    const { summary } = answer;
    for (const warning of summary.warnings) this.#log.warn(warning);
    await this.#show(shownResult(wanted, answer), answer.dropped);
    await this.#keep(wanted);
    // A profile takes over the tiers that were recorded of the same command: they are no result any more.
    const tiers = this.#shown.filter((one) => isTiersOf(one.summary, summary));
    for (const { target } of tiers) await this.forget(target);
    return summary;
  }

  /** Takes over V8's tiers, which were recorded for what is on screen. */
  async takeTiers(): Promise<void> {
    if (this.#shown.length === 0 || !this.#server.isStarted) return;
    await this.#server.ask(takeTiersRequest, null);
    this.#changed.fire();
  }

  /** Shows the result of a target no longer, in no window of the workspace. */
  async forget(target: string): Promise<void> {
    const token = this.#readings.next(target, null);
    await this.#shared.forget(target);
    if (this.#server.isStarted && !token.isCancellationRequested) await this.#server.ask(forgetRequest, { target });
    if (!token.isCancellationRequested) this.#replace(this.#shown.filter((one) => one.target !== target));
  }

  /** Shows nothing any more, in no window of the workspace. What is asked for meanwhile is shown. */
  async clear(): Promise<void> {
    await this.#shared.clear(this.#known.map(({ target }) => target));
  }

  /** Lists are asked for again: a re-check has said something of a function. */
  listAgain(): void {
    this.#changed.fire();
  }

  /** Shows the same figures in another way: lenses, marks and lists are asked for again. */
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

  /** Null where it was cancelled, or is no longer wanted. */
  async #read(wanted: KeptResult, isQuiet: boolean): Promise<OpenAnswer | null> {
    const { target, isOurs, shownAt } = wanted;
    const [recording, ...more] = wanted.recordings;
    const token = this.#readings.next(target, wanted);
    const params = { recording, more, shownAs: { target, isOurs, shownAt } };
    const answer = await readRecording(this.#server, params, token, isQuiet).finally(() => {
      this.#readings.done(target, token);
    });
    return token.isCancellationRequested ? null : answer;
  }

  /** `dropped`: targets that are left out to save memory. */
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

  /** Keeps a result that is on screen, unless it has left it meanwhile. */
  async #keep(result: KeptResult): Promise<void> {
    const { target, shownAt } = result;
    const isShown = this.#shown.some((one) => one.target === target && one.shownAt === shownAt);
    if (isShown) await this.#shared.keep(result);
  }

  #replace(shown: readonly ShownResult[]): void {
    this.#shown = shown;
    this.#setContext(contextKeys.hasResult, shown.length > 0);
    this.#setContext(
      contextKeys.hasHotspots,
      shown.some(({ summary }) => summary.hotspotCount > 0),
    );
    this.#changed.fire();
  }

  #setContext(key: string, value: boolean): void {
    inLog(commands.executeCommand('setContext', key, value), this.#log);
  }

  /** The time in ms since the epoch, after that of all results: no two are of one time. */
  #now(): number {
    return Math.max(Date.now(), ...this.#known.map(({ shownAt }) => shownAt + 1));
  }

  #isShown(target: string): boolean {
    return this.#shown.some((one) => one.target === target);
  }

  /** What is shown, and what is being read to be shown. */
  get #known(): readonly KeptResult[] {
    return [...this.#shown, ...this.#readings.wanted];
  }

  #screen(): Screen {
    return {
      known: () => this.#known,
      take: async (wanted) => this.#take(wanted),
      forget: async (target) => this.forget(target),
    };
  }

  /** Shows a result that nobody asked for here. Where it cannot be read, gives why. */
  async #take(wanted: KeptResult): Promise<string | null> {
    const answer = await this.#read(wanted, true);
    if (answer?.type === 'opened') await this.#show(shownResult(wanted, answer), answer.dropped);
    return answer?.type === 'failed' ? answer.message : null;
  }

  /** What was being read when the server ended is asked for again by itself; what else is on screen is read again. */
  async #openAfterRestart(): Promise<void> {
    await this.#openAgain(false);
  }

  /** Reads all results on screen anew; `evenUnread`: also those that are being read now. */
  async #openAgain(evenUnread: boolean): Promise<void> {
    this.#rounds++;
    const round = this.#rounds;
    const wanted = this.#readings.wanted;
    const shown = this.#shown.filter(({ target }) => !wanted.some((one) => one.target === target));
    const all = [...(evenUnread ? wanted : []), ...shown].toSorted((a, b) => b.shownAt - a.shownAt);
    for (const one of all) {
      if (this.#rounds !== round) return;
      const answer = await this.#read(one, !evenUnread || all.length > 1);
      if (answer?.type === 'failed' && evenUnread) inLog(showFailure(answer.message, this.#log), this.#log);
      else if (answer?.type === 'failed') this.#leave(one, answer.message);
      if (answer?.type !== 'opened') continue;
      await this.#show(shownResult(one, answer), answer.dropped);
      if (!this.#shared.has(one.target)) await this.#keep(one);
    }
  }

  /** A new server knows nothing of a result that it cannot read: without marks its row would say something wrong. */
  #leave(result: KeptResult, why: string): void {
    const left = this.#shown.find(({ target }) => target === result.target);
    if (left === undefined) return;
    this.#shared.leave(result);
    this.#replace(this.#shown.filter((one) => one !== left));
    const name = resultLabel(left.summary);
    inLog(showFailure(`The result of ${name} is no longer shown: ${why}`, this.#log), this.#log);
  }

  async #configure(event: ConfigurationChangeEvent): Promise<void> {
    const isAny = (...names: readonly string[]): boolean => names.some((name) => event.affectsConfiguration(name));
    const { threshold, testPatterns, pathMappings } = settings;
    if (isAny(threshold, testPatterns, pathMappings)) await this.#openAgain(true);
    const { metric, codeLens, loading, annotations, diagnosticsThreshold } = settings;
    if (isAny(metric, codeLens, loading, annotations, diagnosticsThreshold)) await this.drawAgain();
  }
}

/** What the server has read is all that is known of a result: nothing stays of when it was read before. */
function shownResult({ target, isOurs, shownAt, recordings }: KeptResult, { summary, elsewhere }: Opened): ShownResult {
  return { target, isOurs, shownAt, recordings, summary, ...(elsewhere === undefined ? {} : { elsewhere }) };
}

type Opened = Extract<OpenAnswer, { readonly type: 'opened' }>;

/** Whether the first is of V8's tiers of the command that the second is a profile of. */
function isTiersOf(tiers: Summary, { title, where, isTiers }: Summary): boolean {
  return tiers.isTiers && !isTiers && tiers.title === `V8 tiers of ${title}` && tiers.where === where;
}

/** What is being read, or was last asked for, of each target: only what was asked for last counts. */
class Readings implements Disposable {
  readonly #last = new Map<string, { readonly source: CancellationTokenSource; readonly wanted: KeptResult | null }>();

  /** What is being read now. */
  get wanted(): readonly KeptResult[] {
    return [...this.#last.values()].flatMap(({ wanted }) => wanted ?? []);
  }

  /** The token for what is asked for now: null for nothing of this target. Everything of it before is cancelled. */
  next(target: string, wanted: KeptResult | null): CancellationToken {
    this.#cancel(target);
    const source = new CancellationTokenSource();
    this.#last.set(target, { source, wanted });
    return source.token;
  }

  /** It has been read. It is still what was asked for last. */
  done(target: string, token: CancellationToken): void {
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
