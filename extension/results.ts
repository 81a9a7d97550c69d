import {
  type ConfigurationChangeEvent,
  Disposable,
  type Event,
  EventEmitter,
  type LogOutputChannel,
  ProgressLocation,
  commands,
  l10n,
  window,
  workspace,
} from 'vscode';
import { contextKeys, settings } from '../protocol/ids.ts';
import { type OpenAnswer, type Summary, clearRequest, configureRequest, openRequest } from '../protocol/requests.ts';
import type { Server } from './server.ts';
import { analysisOptions, displayOptions } from './settings.ts';
import { showFailure } from './show-failure.ts';

/** The recording whose figures the editor shows, if any; nothing is shown before there is one. */
export class Results implements Disposable {
  readonly #server: Server;
  readonly #log: LogOutputChannel;
  readonly #changed = new EventEmitter<void>();
  readonly #listening: Disposable;
  #summary: Summary | null = null;

  constructor(server: Server, log: LogOutputChannel) {
    this.#server = server;
    this.#log = log;
    this.#listening = Disposable.from(
      workspace.onDidChangeConfiguration(async (event) => this.#configure(event)),
      server.onDidRestart(async () => this.#openAgain()),
    );
  }

  /** Another recording, another threshold, another metric, or none any more. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get summary(): Summary | null {
    return this.#summary;
  }

  /** Analyses a recording and shows it; null where that failed (said) or was cancelled: then the one before stays. */
  async open(recording: string): Promise<Summary | null> {
    const answer = await analyse(this.#server, recording);
    if (answer?.type === 'failed') await showFailure(answer.message, this.#log);
    if (answer?.type !== 'opened') return null;
    for (const warning of answer.summary.warnings) this.#log.warn(warning);
    this.#show(answer.summary);
    return answer.summary;
  }

  async clear(): Promise<void> {
    if (this.#server.isStarted) await this.#server.ask(clearRequest, null);
    this.#show(null);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }

  #show(summary: Summary | null): void {
    this.#summary = summary;
    void commands.executeCommand('setContext', contextKeys.hasResult, summary !== null);
    void commands.executeCommand('setContext', contextKeys.hasHotspots, (summary?.hotspotCount ?? 0) > 0);
    this.#changed.fire();
  }

  async #openAgain(): Promise<void> {
    if (this.#summary !== null) await this.open(this.#summary.recording);
  }

  async #configure(event: ConfigurationChangeEvent): Promise<void> {
    const isAny = (...names: readonly string[]): boolean => names.some((name) => event.affectsConfiguration(name));
    if (isAny(settings.threshold, settings.testPatterns)) await this.#openAgain();
    if (!isAny(settings.metric, settings.codeLens, settings.loading) || !this.#server.isStarted) return;
    await this.#server.ask(configureRequest, displayOptions());
    this.#changed.fire();
  }
}

/** Has a recording read, with percent, file n of m, and Cancel. Null where the person cancelled. */
async function analyse(server: Server, recording: string): Promise<OpenAnswer | null> {
  const title = l10n.t('Hotspan: reading the recording');
  const location = ProgressLocation.Notification;
  return window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const params = { recording, annotate: true, options: analysisOptions() };
    let shown = 0;
    try {
      const answer = await server.ask(openRequest, params, {
        token,
        onProgress: ({ message, percentage }) => {
          progress.report({ message, increment: percentage - shown });
          shown = percentage;
        },
      });
      return token.isCancellationRequested ? null : answer;
    } catch (error) {
      if (token.isCancellationRequested) return null;
      throw error;
    }
  });
}
