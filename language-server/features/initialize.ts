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

/** Takes over the open folders. They decide what own code is, and the next recording is read with them. */
export function changeFolders(session: Session, { event }: DidChangeWorkspaceFoldersParams): void {
  session.changeRoots(rootsOf(event.added), rootsOf(event.removed));
}

/** Whether the editor gave display options. Other editors may give none. */
function hasDisplay(options: unknown): options is InitializationOptions {
  return typeof options === 'object' && options !== null && 'display' in options;
}

function rootsOf(folders: readonly WorkspaceFolder[]): readonly string[] {
  return folders.filter(({ uri }) => uri.startsWith('file:')).map(({ uri }) => fileURLToPath(uri));
}
