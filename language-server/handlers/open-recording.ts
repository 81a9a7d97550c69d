import { type WorkDoneProgressReport, WorkDoneProgress } from 'vscode-languageserver/node';
import type { Progress } from '../../engine/analyze.ts';
import type { OpenAnswer, OpenParams } from '../../protocol/requests.ts';
import type { Session } from '../recordings/session.ts';
import type { Call } from '../server.ts';
import { refreshLenses } from './refresh-lenses.ts';

/** Reads a recording in a thread of its own; says how far it is, and stops when the request is cancelled. */
export async function openRecording(
  { recordings, roots }: Session,
  params: OpenParams,
  { connection, token }: Call,
): Promise<OpenAnswer> {
  const { workDoneToken } = params;
  const answer = await recordings.open(params, roots, {
    onCancel: (callback) => token.onCancellationRequested(callback),
    onProgress: (progress) => {
      if (workDoneToken !== undefined)
        void connection.sendProgress(WorkDoneProgress.type, workDoneToken, report(progress));
    },
  });
  if (answer.type === 'opened' && params.annotate) refreshLenses(connection);
  return answer;
}

function report({ done, total, percent }: Progress): WorkDoneProgressReport {
  return { kind: 'report', message: `file ${Math.min(done + 1, total)} of ${total}`, percentage: percent };
}
