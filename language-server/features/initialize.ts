import { fileURLToPath } from 'node:url';
import {
  type DidChangeWorkspaceFoldersParams,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
  type WorkspaceFolder,
} from 'vscode-languageserver/node';
import type { InitializationOptions } from '../../protocol/requests.ts';
import type { Session } from '../recordings/session.ts';

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

/** The folders decide what is own code: the next recording is read with those that are open then. */
export function changeFolders(session: Session, { event }: DidChangeWorkspaceFoldersParams): void {
  session.changeRoots(rootsOf(event.added), rootsOf(event.removed));
}

/** An editor of another kind may give none. */
function hasDisplay(options: unknown): options is InitializationOptions {
  return typeof options === 'object' && options !== null && 'display' in options;
}

function rootsOf(folders: readonly WorkspaceFolder[]): readonly string[] {
  return folders.filter(({ uri }) => uri.startsWith('file:')).map(({ uri }) => fileURLToPath(uri));
}
