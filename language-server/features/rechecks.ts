import { pathToFileURL } from 'node:url';
import type { FunctionChange, OfRecording, Recheck } from '../../protocol/requests.ts';
import type { FunctionPlace } from '../../protocol/places.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import type { Session } from '../recordings/session.ts';
import { textNow } from './current-text.ts';

/** Results of re-checks by function id. */
export type Changes = ReadonlyMap<number, Recheck>;

/** Keeps the result of a re-check until the next run replaces the recording; null forgets it. */
export async function showChange(
  session: Session,
  { recording, functionId, change }: OfRecording<FunctionChange>,
): Promise<void> {
  const changes = session.recordings.changesOf(recording);
  const before = changes?.get(functionId);
  if (change === null || changes === undefined) {
    changes?.delete(functionId);
    return;
  }
  // The tests run the code that was there when they began.
  const code = before?.change.type === 'running' ? before.code : await codeOf(session, { recording, functionId });
  changes.set(functionId, { change, code });
}

/** The results of re-checks that are about the code as it is now. Others return when their code does. */
export async function changesNow(
  session: Session,
  { summary: { recording }, changes }: Pick<OpenRecording, 'summary' | 'changes'>,
): Promise<Changes> {
  const valid = new Map<number, Recheck>();
  for (const [functionId, { change, code }] of changes) {
    if (change.type === 'running') valid.set(functionId, change);
    else {
      const now = await codeOf(session, { recording, functionId });
      if ([...code].every(([path, tokens]) => now.get(path) === tokens)) valid.set(functionId, change);
    }
  }
  return valid;
}

/** What the re-check of one function says of the code as it is now; null where there is none. */
export async function changeOf(
  session: Session,
  { recording, functionId }: OfRecording<FunctionPlace>,
): Promise<string | null> {
  const shown = session.recordings.shown.find(({ summary }) => summary.recording === recording);
  const change = shown === undefined ? undefined : (await changesNow(session, shown)).get(functionId);
  return change?.type === 'done' ? change.text : null;
}

async function codeOf(
  session: Session,
  { recording, functionId }: OfRecording<FunctionPlace>,
): Promise<ReadonlyMap<string, string>> {
  const code = new Map<string, string>();
  for (const path of await session.recordings.ask(recording, 'filesBelow', functionId)) {
    const text = await textNow(session, pathToFileURL(path).href);
    code.set(path, text === null ? '' : session.code.now(path, text).tokens.join('\n'));
  }
  return code;
}
