import { type CancellationToken, type Progress, ProgressLocation, l10n, window } from 'vscode';
import { type OpenAnswer, type OpenParams, openRequest } from '../protocol/requests.ts';
import type { Server } from './server.ts';
import { analysisOptions } from './settings.ts';

/**
 * Has a recording read, with percent, file n of m, and Cancel. Null where the person cancelled, or where `quiet` was:
 * nobody asked for that one, so it shows in the status bar alone.
 */
export async function analyse(
  server: Server,
  asked: Pick<OpenParams, 'recording' | 'target'>,
  quiet?: CancellationToken,
): Promise<OpenAnswer | null> {
  const title = l10n.t('Hotspan: reading the recording');
  const location = quiet === undefined ? ProgressLocation.Notification : ProgressLocation.Window;
  return window.withProgress({ location, title, cancellable: quiet === undefined }, async (progress, cancel) => {
    const token = quiet ?? cancel;
    const params = { ...asked, annotate: true, options: analysisOptions() };
    try {
      const answer = await server.ask(openRequest, params, { token, onProgress: reporter(progress) });
      return token.isCancellationRequested ? null : answer;
    } catch (error) {
      if (token.isCancellationRequested) return null;
      throw error;
    }
  });
}

/** VS Code adds up what it is told. */
function reporter(progress: Progress<{ message: string; increment: number }>): (now: Report) => void {
  let shown = 0;
  return ({ message, percentage }) => {
    progress.report({ message, increment: percentage - shown });
    shown = percentage;
  };
}

interface Report {
  readonly message: string;
  readonly percentage: number;
}
