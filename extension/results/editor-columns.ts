import { minOf } from '../../protocol/figures.ts';
import * as vscode from 'vscode';
import { isRecord, type Fields } from '../../protocol/json-value.ts';
import { usualColumns } from '../../protocol/requests.ts';

/**
 * Sends the server the number of visible columns, so that no figure is cut off. VS Code gives the width of editor groups
 * only on request, without an event: so each question for lenses asks again.
 */
export class EditorColumns implements vscode.Disposable {
  readonly #send: (columns: number | null) => Promise<unknown>;
  readonly #listening: vscode.Disposable;
  #sent: number | null = usualColumns;

  /** `changed`: editor groups, the active group, or settings of editors have changed. */
  constructor(send: (columns: number | null) => Promise<unknown>, changed: () => void) {
    this.#send = send;
    this.#listening = vscode.Disposable.from(
      vscode.window.tabGroups.onDidChangeTabGroups(() => changed()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('editor')) changed();
      }),
    );
  }

  async update(): Promise<void> {
    const columns = await columnsInSight();
    if (columns === this.#sent) return;
    const before = this.#sent;
    this.#sent = columns;
    try {
      await this.#send(columns);
    } catch (error) {
      this.#sent = before;
      throw error;
    }
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

async function columnsInSight(): Promise<number | null> {
  const editor = vscode.workspace.getConfiguration('editor');
  if (editor.get<unknown>('wordWrap', 'off') !== 'off') return null;
  const layout: unknown = await vscode.commands.executeCommand('vscode.getEditorLayout');
  const fontSize = editor.get<unknown>('fontSize', usualFontSize);
  return columnsOf(layout, {
    fontSize: typeof fontSize === 'number' && fontSize > 0 ? fontSize : usualFontSize,
    hasMinimap: editor.get<unknown>('minimap.enabled', true) === true,
  });
}

const usualFontSize = 14;

/** The settings that decide how many characters fit into a width. */
export interface EditorFont {
  /** In px. */
  readonly fontSize: number;
  readonly hasMinimap: boolean;
}

/**
 * Columns in the narrowest group of a layout (`vscode.getEditorLayout`, in px). A monospaced letter is about 0.6 of the
 * font size wide; a minimap draws each as one pixel, 120 at most (VS Code's `editorOptions.ts`).
 */
export function columnsOf(layout: unknown, { fontSize, hasMinimap }: EditorFont): number {
  const widths = isRecord(layout) ? widthsBelow(layout, layout['orientation'] !== 1, null) : [];
  if (widths.length === 0) return usualColumns;
  const letter = 0.61 * fontSize;
  const text = minOf(widths) - gutterSizes * fontSize - scrollBarWidth;
  const minimap = hasMinimap ? Math.min(120, text / (letter + 1)) + minimapMargin : 0;
  return Math.max(0, Math.floor((text - minimap) / letter));
}

/** Width of line numbers and gutter icons, in font sizes. */
const gutterSizes = 6.5;
/** In px. */
const scrollBarWidth = 14;
const minimapMargin = 8;

function widthsBelow(node: Fields, isAcross: boolean, width: number | null): readonly number[] {
  const groups = Array.isArray(node['groups']) ? node['groups'].filter(isRecord) : [];
  if (groups.length === 0) return width === null ? [] : [width];
  return groups.flatMap((group) => {
    const size = typeof group['size'] === 'number' && group['size'] > 0 ? group['size'] : null;
    return widthsBelow(group, !isAcross, isAcross ? size : width);
  });
}
