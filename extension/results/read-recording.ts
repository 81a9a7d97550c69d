import { type CancellationToken, CancellationTokenSource, type Progress, ProgressLocation, window } from 'vscode';
import { type OpenAnswer, type OpenParams, openRequest } from '../../protocol/requests.ts';
import type { Server } from './server.ts';
import { analysisOptions } from '../ui/settings.ts';

/**
 * Asks the server to read a recording, and shows its progress with a button to cancel. Null where the person or `owner`
 * cancelled. With `isQuiet`, for a recording that nobody asked for, only the status bar shows it.
 */
export async function readRecording(
  server: Server,
  asked: Pick<OpenParams, 'recording' | 'more' | 'shownAs'>,
  owner: CancellationToken,
  isQuiet = false,
): Promise<OpenAnswer | null> {
  const title = 'Hotspan: reading the recording';
  const location = isQuiet ? ProgressLocation.Window : ProgressLocation.Notification;
  return window.withProgress({ location, title, cancellable: !isQuiet }, async (progress, cancel) => {
    const { source, dispose } = eitherOf(owner, cancel);
    const { token } = source;
    const params = { ...asked, options: analysisOptions() };
    try {
      const answer = await server.ask(openRequest, params, { token, onProgress: reporter(progress) });
      return token.isCancellationRequested ? null : answer;
    } catch (error) {
      if (token.isCancellationRequested) return null;
      throw error;
    } finally {
      dispose();
    }
  });
}

/** A source that is cancelled as soon as one of the tokens is. */
function eitherOf(...tokens: readonly CancellationToken[]): {
  readonly source: CancellationTokenSource;
  readonly dispose: () => void;
} {
  const source = new CancellationTokenSource();
  if (tokens.some(({ isCancellationRequested }) => isCancellationRequested)) source.cancel();
  const listening = tokens.map((token) => token.onCancellationRequested(() => source.cancel()));
  const dispose = (): void => {
    for (const listener of listening) listener.dispose();
    source.dispose();
  };
  return { source, dispose };
}

/** Reports progress as increments, because VS Code adds up what it gets. */
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
