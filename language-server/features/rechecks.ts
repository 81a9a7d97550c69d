import type { EditedParams, FunctionChange, FunctionReference, OfRecording } from '../../protocol/requests.ts';
import { isSamePath } from '../../protocol/path-spelling.ts';
import type { DoneRecheck, Recheck } from '../../protocol/rechecks.ts';
import { pathOfUri } from '../../engine/read/files/file-path.ts';
import { isSameCode } from '../../engine/compare/match-functions.ts';
import { keepRechecks, type MeasuredCode } from '../../recordings/kept-rechecks.ts';
import { mapCode, placeFunction } from '../placement/code-map.ts';
import type { AnnotatedFunction } from '../queries/file-annotations.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import type { Session } from '../recordings/session.ts';
import { codeNow, type ReadText, textsOfEditor, textsOnDisk } from './code-now.ts';
import { textNow } from './current-text.ts';

/** What re-checks say of functions, by their ids. */
export type Changes = ReadonlyMap<number, Recheck>;

/** Shows a re-check that runs, and keeps its result with the code that it has measured. */
export async function showChange(
  session: Session,
  { recording, functionId, change }: OfRecording<FunctionChange>,
): Promise<void> {
  const opened = session.recordings.opened(recording);
  if (opened === undefined) return;
  const { running } = await opened.rechecks;
  const began = running.get(functionId)?.code ?? null;
  if (change?.type === 'began') {
    // The tests run the files that are on the disk when they begin; a document may not have been read again yet.
    const code = await codeNow(session, { recording, functionId }, textsOnDisk());
    running.set(functionId, { text: change.text, code });
  } else if (change?.type === 'running') {
    running.set(functionId, { text: change.text, code: began });
  } else {
    running.delete(functionId);
    if (change !== null) await keepResult(opened, functionId, change, began);
  }
}

/** Drops a result whose beginning is not known (the server has crashed meanwhile): it may be of any code. */
async function keepResult(
  { summary: { recording }, isOurs, rechecks }: OpenRecording,
  functionId: number,
  change: DoneRecheck,
  began: MeasuredCode | null,
): Promise<void> {
  const { done } = await rechecks;
  // A known one may have become the baseline.
  const measured = began ?? done.find((one) => one.functionId === functionId && one.change.at === change.at);
  if (measured === undefined) return;
  const { code, files } = measured;
  const others = done.filter((one) => one.functionId !== functionId || one.code !== code);
  done.splice(0, done.length, { functionId, code, files, change }, ...others);
  done.length = Math.min(done.length, MAX_KEPT);
  if (isOurs) await keepRechecks(recording, done);
}

/** The newest stay. */
const MAX_KEPT = 200;

/** What re-checks say of the code as it is now. The result for another code returns when that does. */
export async function changesNow(
  session: Session,
  { summary: { recording }, rechecks }: Pick<OpenRecording, 'summary' | 'rechecks'>,
  textOf: ReadText = textsOfEditor(session),
): Promise<Changes> {
  const { running, done } = await rechecks;
  const now = new Map<number, Recheck>();
  for (const functionId of new Set(done.map((one) => one.functionId))) {
    const { code } = await codeNow(session, { recording, functionId }, textOf);
    const measured = done.find((one) => one.functionId === functionId && one.code === code);
    if (measured !== undefined) now.set(functionId, measured.change);
  }
  for (const [functionId, { text }] of running) now.set(functionId, { type: 'running', text });
  return now;
}

/** What a re-check has measured of the current code of a function. */
export async function recheckOf(
  session: Session,
  { recording, functionId }: FunctionReference,
): Promise<DoneRecheck | null> {
  const opened = session.recordings.opened(recording);
  const change = opened === undefined ? undefined : (await changesNow(session, opened)).get(functionId);
  return change?.type === 'done' ? change : null;
}

/** Functions whose recorded code was edited in a file, and whose current code no re-check has measured; worst first. */
export async function editedFunctions(
  session: Session,
  { uri, which }: EditedParams,
): Promise<readonly FunctionReference[]> {
  const path = pathOfUri(uri) ?? '';
  const { recordings, code } = session;
  const edited = await recordings.ofShown(async (shown) => {
    const { recording } = shown.summary;
    const [measured, now] = [await recordings.file(recording, path), await textNow(session, uri)];
    const known = await changesNow(session, shown);
    const isOpen = (id: number): boolean => known.get(id)?.type !== 'done';
    // The file may be one that a fix has added: no recording knows it.
    const { done } = await shown.rechecks;
    const voided = done
      .filter(({ files }) => files.some((file) => isSamePath(file, path)))
      .map(({ functionId }) => functionId);
    const map =
      measured === null || now === null ? null : mapCode(code.recorded(path, measured.text), code.now(path, now));
    const isSame = measured === null || now === null || isSameCode(path, measured.text, now);
    const isStale = ({ extent }: AnnotatedFunction): boolean =>
      map !== null && placeFunction(map, extent)?.stale === true;
    const changed =
      which === 'file'
        ? (measured?.functions ?? []).filter(isStale).map(({ functionId }) => functionId)
        : await recordings.ask(recording, 'findingsIn', path);
    const ids = [...new Set([...(isSame ? [] : changed), ...voided])];
    return ids.filter(isOpen).map((functionId) => ({ recording, functionId }));
  });
  return edited.flat();
}
