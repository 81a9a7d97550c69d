import {
  EventEmitter,
  type LogOutputChannel,
  ProgressLocation,
  type ProgressOptions,
  type Task,
  window,
  workspace,
} from 'vscode';
import { duration } from '../../words/formats/figures.ts';
import { inLog, on } from '../ui/failures.ts';
import { requestStop } from '../../recordings/recording-folders.ts';
import { worstTurnSoFar } from './worst-so-far.ts';

/** How often the notification looks for a longer turn, in ms. */
const lookEvery = 2_000;

/** Shows that a run goes on, with *Stop and Show*; the returned function ends the notification. */
export function showRunning(task: Task, recording: string, log: LogOutputChannel): () => void {
  const { detail } = task;
  const ending = new EventEmitter<void>();
  const title = `Hotspan: ${nameOf(task)}`;
  const options = withButton({ location: ProgressLocation.Notification, title });
  const running = window.withProgress(options, async (progress, token) => {
    if (detail !== undefined && detail !== '') progress.report({ message: detail });
    const worstTurn = worstTurnSoFar(recording);
    const look = async (): Promise<void> => {
      const worst = await worstTurn();
      if (worst !== null) progress.report({ message: `so far: loop held up to ${duration(worst)}, loading included` });
    };
    const timer = setInterval(() => inLog(look(), log), lookEvery);
    const stopping = on(token.onCancellationRequested, async () => requestStop(recording), log);
    await once(ending);
    clearInterval(timer);
    stopping.dispose();
  });
  inLog(running, log);
  return () => {
    ending.fire();
    ending.dispose();
  };
}

/** Where several folders are open, their targets would read the same. */
function nameOf({ name, scope }: Task): string {
  const isOneOfMany = (workspace.workspaceFolders ?? []).length > 1 && typeof scope === 'object';
  return isOneOfMany ? `${name} (${scope.name})` : name;
}

async function once(emitter: EventEmitter<void>): Promise<void> {
  return new Promise((resolve) => {
    emitter.event(() => resolve());
  });
}

/** VS Code takes a text as the button's label, which its types do not say; where it did not, the button says Cancel. */
function withButton(options: ProgressOptions): ProgressOptions {
  return Object.assign(options, { cancellable: 'Stop and Show' });
}
