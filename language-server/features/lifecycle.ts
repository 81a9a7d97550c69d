import {
  type WorkDoneProgressReport,
  WorkDoneProgress,
  CodeLensRefreshRequest,
  type Connection,
  type DidChangeWorkspaceFoldersParams,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
  type WorkspaceFolder,
} from 'vscode-languageserver/node';
import type { Progress } from '../../engine/read/isolates/load-isolates.ts';
import type {
  ColumnsInSight,
  ForgetParams,
  FunctionChange,
  OfRecording,
  OpenAnswer,
  OpenParams,
  OpenDiffAnswer,
  OpenDiffParams,
  DisplayOptions,
  InitializationOptions,
} from '../../protocol/requests.ts';
import type { Session, Call } from '../recordings/session.ts';
import { fileURLToPath } from 'node:url';

export function initialize(session: Session, params: InitializeParams): InitializeResult {
  const options: unknown = params.initializationOptions;
  if (hasDisplay(options)) session.changeDisplay(options.display);
  session.changeRoots(rootsOf(params.workspaceFolders ?? []), []);
  return {
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      codeLensProvider: { resolveProvider: false },
      hoverProvider: true,
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    },
  };
}

/** Takes over the open folders, which decide what own code is in the next recording. */
export function changeFolders(session: Session, { event }: DidChangeWorkspaceFoldersParams): void {
  session.changeRoots(rootsOf(event.added), rootsOf(event.removed));
}

/** Other editors may give no display options. */
function hasDisplay(options: unknown): options is InitializationOptions {
  return typeof options === 'object' && options !== null && 'display' in options;
}

function rootsOf(folders: readonly WorkspaceFolder[]): readonly string[] {
  return folders.filter(({ uri }) => uri.startsWith('file:')).map(({ uri }) => fileURLToPath(uri));
}

/** Starts the thread for the next recording. */
export async function prepare({ recordings }: Session): Promise<null> {
  recordings.prepare();
  return null;
}

/** Reads a recording in its own thread, with progress; cancelling the request stops it. */
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
  if (answer.type === 'opened' && params.shownAs !== null) refreshLenses(connection);
  return answer;
}

export async function openDiff(
  { diffs, roots }: Session,
  params: OpenDiffParams,
  { connection, token }: Call,
): Promise<OpenDiffAnswer> {
  const { workDoneToken } = params;
  return diffs.open(params, roots, {
    onCancel: (callback) => token.onCancellationRequested(callback),
    onProgress: ({ done, total, percent }) => {
      const message = `recording ${Math.min(done + 1, total)} of ${total}`;
      const told: WorkDoneProgressReport = { kind: 'report', message, percentage: percent };
      if (workDoneToken !== undefined) void connection.sendProgress(WorkDoneProgress.type, workDoneToken, told);
    },
  });
}

function report({ done, total, percent }: Progress): WorkDoneProgressReport {
  return { kind: 'report', message: `file ${Math.min(done + 1, total)} of ${total}`, percentage: percent };
}

/** Forgets the result of a target, or all. Open flamegraphs stay. */
export async function forget({ recordings }: Session, { target }: ForgetParams, { connection }: Call): Promise<null> {
  recordings.forget(target);
  refreshLenses(connection);
  return null;
}

/** Takes over display options. Nothing is read again. */
export async function configure(session: Session, display: DisplayOptions, { connection }: Call): Promise<null> {
  session.changeDisplay(display);
  refreshLenses(connection);
  return null;
}

export async function changeColumns(
  session: Session,
  { columns }: ColumnsInSight,
  { connection }: Call,
): Promise<null> {
  session.changeColumns(columns);
  refreshLenses(connection);
  return null;
}

/** Adds tiers that have been recorded to the profile on screen. */
export async function takeTiers({ recordings }: Session, _: null, { connection }: Call): Promise<null> {
  await recordings.takeTiers();
  refreshLenses(connection);
  return null;
}

export async function showChange(
  { recordings }: Session,
  { recording, functionId, change }: OfRecording<FunctionChange>,
  { connection }: Call,
): Promise<null> {
  recordings.showChange(recording, functionId, change);
  refreshLenses(connection);
  return null;
}

/** An editor that does not support this asks when the person types. */
function refreshLenses(connection: Connection): void {
  connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined);
}
