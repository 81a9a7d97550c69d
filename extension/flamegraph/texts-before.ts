import { type Disposable, Position, Range, Uri, window, workspace } from 'vscode';
import { textBeforeScheme } from '../../protocol/ids.ts';
import type { TextBefore } from '../../protocol/requests.ts';
import { columnForSource } from '../ui/open-source.ts';

/** Texts that ran before and that no file has any more, as documents that cannot be edited. */
export class TextsBefore implements Disposable {
  /** By address. */
  readonly #texts = new Map<string, string>();
  readonly #registered: Disposable;

  constructor() {
    const provideTextDocumentContent = (uri: Uri): string => this.#texts.get(uri.toString()) ?? gone;
    this.#registered = workspace.registerTextDocumentContentProvider(textBeforeScheme, { provideTextDocumentContent });
  }

  async open({ path, text, line }: TextBefore): Promise<void> {
    // Another text of the same file has another address: an open document is not asked for again.
    const number = [...this.#texts.values()].indexOf(text);
    const query = `text=${number === -1 ? this.#texts.size : number}`;
    const uri = Uri.from({ scheme: textBeforeScheme, path: Uri.file(path).path, query });
    this.#texts.set(uri.toString(), text);
    const position = new Position(line, 0);
    await window.showTextDocument(uri, { selection: new Range(position, position), viewColumn: columnForSource(uri) });
  }

  dispose(): void {
    this.#registered.dispose();
  }
}

/** What a document says that VS Code has kept across a reload. */
const gone = 'This text is no longer in memory: open it from the diff again.\n';
