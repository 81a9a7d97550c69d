import type { Disposable, Event, LogOutputChannel } from 'vscode';

/** Listens with a function that takes a while; VS Code would drop what goes wrong in it, so it goes into the log. */
export function on<Told>(
  event: Event<Told>,
  listener: (told: Told) => Promise<unknown>,
  log: Pick<LogOutputChannel, 'error'>,
): Disposable {
  return event((told) => {
    inLog(listener(told), log);
  });
}

/** Work that nobody waits for: what goes wrong in it goes into the log. */
export function inLog(work: Thenable<unknown>, log: Pick<LogOutputChannel, 'error'>): void {
  work.then(undefined, (error: unknown) => log.error(error instanceof Error ? error : String(error)));
}
