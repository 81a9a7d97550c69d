import type * as vscode from 'vscode';
import { pathRules } from '../ui/settings.ts';
import type { Summary } from '../../protocol/summary.ts';
import { inLog } from '../ui/failures.ts';
import { offer } from '../results/last-run.ts';
import type { Services } from '../results/results.ts';
import type { PathSuggestion } from '../../protocol/path-spelling.ts';
import { noTestReported, notAnalyzed, resultState } from '../../words/editor/ways.ts';
import { type EmptyRun, shownMessage } from '../../words/editor/notifications.ts';

/**
 * Shows the figures of a run that has just ended; false where there are none. If it cannot be analysed, view and status
 * bar say so until the next run, with a way to try again. `empty`: no test was reported.
 */
export async function showRun(services: Services, recording: string, empty: EmptyRun | null = null): Promise<boolean> {
  const { lastRun, log, results } = services;
  const also = { label: 'Show This Run', run: async () => showRun(services, recording, empty) };
  const sayFailed = (message: string): void => {
    // Its path is long, and the view has room for a few words.
    const said = message.startsWith(recording) ? `The recording${message.slice(recording.length)}` : message;
    lastRun.say({ ...notAnalyzed(said), severity: 'error', also });
  };
  try {
    const summary = await results.open(recording, [], sayFailed);
    if (summary === null) return false;
    lastRun.show(summary);
    const isEmpty = summary.worst === null && empty !== null;
    if (isEmpty) sayNoTestRan(services, empty, null);
    else sayMore(summary, results.elsewhereOf(summary), log);
    return !isEmpty;
  } catch (error) {
    log.error(error instanceof Error ? error : String(error));
    sayFailed(shownMessage(error));
    return false;
  }
}

/** Analyses and shows a recording, or several as one. Says what was found where no line shows it. */
export async function showResult(
  { results, log }: Services,
  recording: string,
  more: readonly string[] = [],
): Promise<Summary | null> {
  const summary = await results.open(recording, more);
  if (summary !== null) sayMore(summary, results.elsewhereOf(summary), log);
  return summary;
}

/** Says that no test was reported. `show` shows the run anyway; null where it is on screen or has no profile. */
export function sayNoTestRan(
  { lastRun }: Pick<Services, 'lastRun'>,
  run: EmptyRun,
  show: (() => Promise<unknown>) | null,
): void {
  const also = show === null ? null : { label: 'Show This Run', run: show };
  lastRun.say({ ...noTestReported(run), severity: 'warning', file: run.file, also });
}

/** A path mapping comes first: with it, something may be found. */
function sayMore(summary: Summary, elsewhere: PathSuggestion | null, log: vscode.LogOutputChannel): void {
  const asks = elsewhere !== null && !isLeft(elsewhere);
  const state = asks ? null : resultState(summary);
  if (asks) inLog(ask(elsewhere, log), log);
  if (state !== null) offer(state, log);
}

async function ask(elsewhere: PathSuggestion, log: vscode.LogOutputChannel): Promise<void> {
  const { askElsewhere } = await import('./ask-elsewhere.ts');
  await askElsewhere(elsewhere, log);
}

/** Whether the person has refused a folder for these files. */
function isLeft({ rules: [first] }: PathSuggestion): boolean {
  return first === undefined || pathRules().left.includes(first.from);
}
