import type { TextDocuments, CancellationToken, Connection } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type DisplayOptions, usualColumns } from '../../protocol/requests.ts';
import { CodeTexts } from '../placement/code-texts.ts';
import { Diffs } from './diffs.ts';
import { Recordings } from './recordings.ts';

/** The state that all handlers share: together with its recordings, all the state that the server has. */
export class Session {
  readonly recordings: Recordings;
  readonly diffs: Diffs;
  readonly documents: TextDocuments<TextDocument>;
  readonly code = new CodeTexts();
  /** Absolute paths of the folders that are open in the editor. */
  #roots: readonly string[] = [];
  #columns: number | null = usualColumns;
  #display: DisplayOptions = { metric: 'worst', codeLens: true, loading: false, diagnosticsUs: null };

  /** `workerFile` is the absolute path of the analysis worker's script. */
  constructor(workerFile: string, documents: TextDocuments<TextDocument>) {
    this.recordings = new Recordings(workerFile);
    this.diffs = new Diffs(workerFile);
    this.documents = documents;
  }

  get roots(): readonly string[] {
    return this.#roots;
  }

  get display(): DisplayOptions {
    return this.#display;
  }

  changeRoots(added: readonly string[], removed: readonly string[]): void {
    this.#roots = [...this.#roots.filter((root) => !removed.includes(root)), ...added];
  }

  /** How long a line may be so that its figures begin in sight; null where long lines wrap. */
  get columns(): number | null {
    return this.#columns;
  }

  changeColumns(columns: number | null): void {
    this.#columns = columns;
  }

  changeDisplay(display: DisplayOptions): void {
    this.#display = display;
  }
}

export interface Call {
  readonly connection: Connection;
  readonly token: CancellationToken;
}
