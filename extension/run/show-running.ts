import { EventEmitter, type ProgressOptions, ProgressLocation, type Task, l10n, window } from 'vscode';
import { requestStop } from './recording-folders.ts';
import { worstTurnSoFar } from './worst-so-far.ts';
import { duration } from '../../protocol/figures.ts';

/** How often the notification looks for a longer turn, in ms. */
const lookEvery = 2_000;

/** Shows that a run goes on, with *Stop and Show*; the returned function ends the notification. */
export function showRunning({ name, detail }: Task, recording: string): () => void {
  const ending = new EventEmitter<void>();
  const ended = new Promise<void>((resolve) => ending.event(() => resolve()));
  void window.withProgress(
    withButton({ location: ProgressLocation.Notification, title: l10n.t('Hotspan: {0}', name) }),
    async (progress, token) => {
      if (detail !== undefined && detail !== '') progress.report({ message: detail });
      const stopping = token.onCancellationRequested(() => void requestStop(recording));
      const timer = setInterval(async () => {
        const worst = await worstTurnSoFar(recording);
        if (worst !== null) progress.report({ message: l10n.t('so far: worst {0}', duration(worst)) });
      }, lookEvery);
      await ended;
      clearInterval(timer);
      stopping.dispose();
    },
  );
  return () => {
    ending.fire();
    ending.dispose();
  };
}

/** VS Code takes a text as the button's label, which its types do not say; where it did not, the button says Cancel. */
function withButton(options: ProgressOptions): ProgressOptions {
  return Object.assign(options, { cancellable: l10n.t('Stop and Show') });
}
