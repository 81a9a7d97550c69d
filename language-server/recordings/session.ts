import type { TextDocuments } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { DisplayOptions } from '../../protocol/requests.ts';
import { Recordings } from './recordings.ts';

/** What handlers work on. Only `recordings`, `roots` and `display` ever change. */
export interface Session {
  readonly recordings: Recordings;
  readonly documents: TextDocuments<TextDocument>;
  /** Absolute paths of the folders that are open in the editor. */
  roots: readonly string[];
  display: DisplayOptions;
}

export function createSession(workerFile: string, documents: TextDocuments<TextDocument>): Session {
  return { recordings: new Recordings(workerFile), documents, roots: [], display: { metric: 'worst', codeLens: true } };
}
