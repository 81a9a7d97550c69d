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
import type { LastRecording } from './last-recording.ts';
import { inLog, on, showFailure } from '../ui/failures.ts';
import { contextKeys, settings } from '../../protocol/ids.ts';
import { type Summary, clearRequest, configureRequest, takeTiersRequest } from '../../protocol/requests.ts';
import type { Server } from './server.ts';
import { displayOptions } from '../ui/settings.ts';

/** The recording whose figures the editor shows, if any; nothing is shown before there is one. */
export class Results implements Disposable {
  readonly #server: Server;
  readonly #log: LogOutputChannel;
  readonly #last: LastRecording;
  readonly #changed = new EventEmitter<void>();
  readonly #listening: Disposable;
  /** Owns what is being read: only the recording that was asked for last is shown. */
  readonly #asked = new LastAsked();
  /** The recording that is being read, until it is shown or has failed. */
  #wanted: string | null = null;
  #restored: Promise<void> | undefined;
  #summary: Summary | null = null;

  constructor(server: Server, log: LogOutputChannel, last: LastRecording) {
    this.#server = server;
    this.#log = log;
    this.#last = last;
    this.#listening = Disposable.from(
      on(workspace.onDidChangeConfiguration, async (event) => this.#configure(event), log),
      on(server.onDidRestart, async () => this.#openAgain(), log),
    );
  }

  /** Another recording, another threshold, another metric, or nothing is shown now. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get summary(): Summary | null {
    return this.#summary;
  }

  /**
   * Shows what this workspace showed before the window was reloaded; only the first call does anything. Says nothing
   * where that recording is gone.
   */
  async restore(): Promise<void> {
    this.#restored ??= this.#restore();
    return this.#restored;
  }

  /**
   * Analyses a recording and shows it. Null where that failed (the person is told), was cancelled, or where another
   * recording was asked for meanwhile: then the previous one stays on screen.
   */
  async open(recording: string): Promise<Summary | null> {
    const token = this.#asked.next();
    this.#wanted = recording;
    const params = { recording, target: this.#last.targetOf(recording) };
    const answer = await readRecording(this.#server, params, token).finally(() => {
      if (!token.isCancellationRequested) this.#wanted = null;
    });
    if (token.isCancellationRequested) return null;
    if (answer?.type === 'failed') inLog(showFailure(answer.message, this.#log), this.#log);
    if (answer?.type !== 'opened') return null;
    for (const warning of answer.summary.warnings) this.#log.warn(warning);
    this.#show(answer.summary);
    await this.#last.remember(recording);
    return answer.summary;
  }

  /** Takes over V8's tiers, which were recorded for what is on screen. */
  async takeTiers(): Promise<void> {
    if (this.#summary === null || !this.#server.isStarted) return;
    await this.#server.ask(takeTiersRequest, null);
    this.#changed.fire();
  }

  async clear(): Promise<void> {
    const token = this.#asked.next();
    this.#wanted = null;
    await this.#last.forget();
    if (this.#server.isStarted && !token.isCancellationRequested) await this.#server.ask(clearRequest, null);
    if (!token.isCancellationRequested) this.#show(null);
  }

  /** Shows the same figures in another way: lenses, marks and lists are asked for again. */
  async drawAgain(): Promise<void> {
    if (!this.#server.isStarted) return;
    await this.#server.ask(configureRequest, displayOptions());
    this.#changed.fire();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#asked.dispose();
    this.#changed.dispose();
  }

  #show(summary: Summary | null): void {
    this.#summary = summary;
    this.#setContext(contextKeys.hasResult, summary !== null);
    this.#setContext(contextKeys.hasHotspots, (summary?.hotspotCount ?? 0) > 0);
    this.#changed.fire();
  }

  #setContext(key: string, value: boolean): void {
    inLog(commands.executeCommand('setContext', key, value), this.#log);
  }

  async #restore(): Promise<void> {
    const token = this.#asked.next();
    const recording = await this.#last.read();
    if (recording === null || token.isCancellationRequested) return;
    const params = { recording, target: this.#last.targetOf(recording) };
    const answer = await readRecording(this.#server, params, token, true).catch((error: unknown) =>
      this.#log.warn(String(error)),
    );
    if (token.isCancellationRequested) return;
    if (answer?.type === 'opened') this.#show(answer.summary);
    if (answer?.type === 'failed') this.#log.warn(answer.message);
  }

  async #openAgain(): Promise<void> {
    const recording = this.#wanted ?? this.#summary?.recording;
    if (recording !== undefined) await this.open(recording);
  }

  async #configure(event: ConfigurationChangeEvent): Promise<void> {
    const isAny = (...names: readonly string[]): boolean => names.some((name) => event.affectsConfiguration(name));
    if (isAny(settings.threshold, settings.testPatterns)) await this.#openAgain();
    if (isAny(settings.metric, settings.codeLens, settings.loading, settings.annotations)) await this.drawAgain();
  }
}

/**
 * Cancels asynchronous work that is no longer wanted: only the last one that was asked for counts. Disposing cancels
 * that, too.
 */
class LastAsked implements Disposable {
  #source = new CancellationTokenSource();

  /** The token for what is asked for now. Everything before it is cancelled. */
  next(): CancellationToken {
    this.dispose();
    this.#source = new CancellationTokenSource();
    return this.#source.token;
  }

  dispose(): void {
    this.#source.cancel();
    this.#source.dispose();
  }
}
