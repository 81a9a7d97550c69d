import {
  type Disposable,
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
import { type Server } from './server.ts';
import { analysisOptions, displayOptions } from './settings.ts';
import { showFailure } from './show-failure.ts';

/** The recording whose figures the editor shows, if any; nothing is shown twice and nothing before there is one. */
export interface Results extends Disposable {
  readonly summary: () => Summary | null;
  /** Analyses a recording and shows it; null where that failed (said) or was cancelled. */
  readonly open: (recording: string) => Promise<Summary | null>;
  readonly clear: () => Promise<void>;
  /** Another recording, another threshold, another metric, or none any more. */
  readonly onDidChange: Event<void>;
}

export function createResults(server: Server, log: LogOutputChannel): Results {
  const changed = new EventEmitter<void>();
  const state: { summary: Summary | null } = { summary: null };

  const show = (summary: Summary | null): void => {
    state.summary = summary;
    void commands.executeCommand('setContext', contextKeys.hasResult, summary !== null);
    void commands.executeCommand('setContext', contextKeys.hasHotspots, summary !== null && summary.hotspotCount > 0);
    changed.fire();
  };
  const open = async (recording: string): Promise<Summary | null> => {
    const answer = await analyse(server, recording, true);
    if (answer === null) return null;
    if (answer.type === 'failed') {
      await showFailure(answer.message, log);
      return null;
    }
    for (const warning of answer.summary.warnings) log.warn(warning);
    show(answer.summary);
    return answer.summary;
  };
  const openAgain = async (): Promise<void> => {
    if (state.summary !== null) await open(state.summary.recording);
  };

  const listening = [
    workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration(settings.threshold) || event.affectsConfiguration(settings.testPatterns))
        await openAgain();
      if (!event.affectsConfiguration(settings.metric) && !event.affectsConfiguration(settings.codeLens)) return;
      if (server.isStarted()) await server.ask(configureRequest, displayOptions());
      changed.fire();
    }),
    server.onDidRestart(() => void openAgain()),
  ];
  return {
    summary: () => state.summary,
    open,
    clear: async () => {
      if (server.isStarted()) await server.ask(clearRequest, null);
      show(null);
    },
    onDidChange: changed.event,
    dispose: () => {
      for (const listener of listening) listener.dispose();
      changed.dispose();
    },
  };
}

/** Asks the server to read a recording, with percent, file n of m, and Cancel. Null where the person cancelled. */
export async function analyse(server: Server, recording: string, annotate: boolean): Promise<OpenAnswer | null> {
  return window.withProgress(
    { location: ProgressLocation.Notification, title: l10n.t('Hotspan: reading the recording'), cancellable: true },
    async (progress, token) => {
      const shown = { percentage: 0 };
      const answer = await server
        .ask(
          openRequest,
          { recording, annotate, options: analysisOptions() },
          {
            token,
            onProgress: ({ message, percentage }) => {
              progress.report({ message, increment: percentage - shown.percentage });
              shown.percentage = percentage;
            },
          },
        )
        .catch((error: unknown) => {
          if (token.isCancellationRequested) return null;
          throw error;
        });
      return token.isCancellationRequested ? null : answer;
    },
  );
}
