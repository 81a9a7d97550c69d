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
  const options: Partial<InitializationOptions> = params.initializationOptions ?? {};
  session.display = options.display ?? session.display;
  session.roots = rootsOf(params.workspaceFolders ?? []);
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
  const removed = new Set(rootsOf(event.removed));
  session.roots = [...session.roots.filter((root) => !removed.has(root)), ...rootsOf(event.added)];
}

function rootsOf(folders: readonly WorkspaceFolder[]): readonly string[] {
  return folders.filter(({ uri }) => uri.startsWith('file:')).map(({ uri }) => fileURLToPath(uri));
}
