import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FunctionChange, OfRecording, Recheck, EditedParams, FunctionReference } from '../../protocol/requests.ts';
import type { FunctionPlace } from '../../protocol/places.ts';
import { mapCode, placeFunction } from '../placement/code-map.ts';
import type { AnnotatedFunction } from '../queries/file-annotations.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import type { Session } from '../recordings/session.ts';
import { textNow, textOnDisk } from './current-text.ts';

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
  // The tests run the files that were on the disk when they began; a document may not have been read again yet.
  const isRunning = before?.change.type === 'running';
  const code = isRunning ? before.code : await codeOnDisk(session, { recording, functionId });
  changes.set(functionId, { change, code });
}

/** The results of re-checks that are about the code as it is now. Others return when their code does. */
export async function changesNow(session: Session, { changes }: Pick<OpenRecording, 'changes'>): Promise<Changes> {
  const valid = new Map<number, Recheck>();
  for (const [functionId, { change, code }] of changes)
    if (change.type === 'running' || (await isCurrent(session, code))) valid.set(functionId, change);
  return valid;
}

async function isCurrent(session: Session, code: ReadonlyMap<string, string>): Promise<boolean> {
  for (const [path, tokens] of code)
    if (tokensOf(session, path, await textNow(session, pathToFileURL(path).href)) !== tokens) return false;
  return true;
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

/** Functions whose recorded code was edited in a file, and whose current code no re-check has measured; worst first. */
export async function editedFunctions(
  session: Session,
  { uri, which }: EditedParams,
): Promise<readonly FunctionReference[]> {
  const path = fileURLToPath(uri);
  const { recordings, code } = session;
  const edited = recordings.shown.map(async (shown) => {
    const { recording } = shown.summary;
    const [measured, now] = [await recordings.file(recording, path), await textNow(session, uri)];
    if (measured === null || now === null) return [];
    const map = mapCode(code.recorded(path, measured.text), code.now(path, now));
    if (map.before.tokens.join('\n') === map.now.tokens.join('\n')) return [];
    const known = await changesNow(session, shown);
    const isStale = ({ extent }: AnnotatedFunction): boolean => placeFunction(map, extent)?.stale === true;
    const ids =
      which === 'file'
        ? measured.functions.filter(isStale).map(({ functionId }) => functionId)
        : await findingsIn(session, recording, path);
    return ids.filter((id) => known.get(id)?.type !== 'done').map((functionId) => ({ recording, functionId }));
  });
  return (await Promise.all(edited)).flat();
}

/** Ids of the open findings that have code in a file: their own, or that of a function that they call. */
async function findingsIn({ recordings }: Session, recording: string, path: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const { functionId } of (await recordings.ask(recording, 'verdict', null)).findings)
    if (functionId >= 0 && (await recordings.ask(recording, 'filesBelow', functionId)).includes(path))
      found.push(functionId);
  return found;
}

async function codeOnDisk(
  session: Session,
  { recording, functionId }: FunctionReference,
): Promise<ReadonlyMap<string, string>> {
  const code = new Map<string, string>();
  for (const path of await session.recordings.ask(recording, 'filesBelow', functionId))
    code.set(path, tokensOf(session, path, await textOnDisk(path)));
  return code;
}

function tokensOf({ code }: Session, path: string, text: string | null): string {
  return text === null ? '' : code.now(path, text).tokens.join('\n');
}
