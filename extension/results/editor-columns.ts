import * as vscode from 'vscode';
import { isRecord } from '../../protocol/json-value.ts';
import { usualColumns } from '../../protocol/requests.ts';

/**
 * Tells the server how much of a line is in sight, so that no figure behind one is cut off. VS Code says how wide groups of
 * editors are that stand side by side, and of a single one only its height. It says so where it is asked, and not when it
 * changes: so it is asked with each question for lenses, too.
 */
export class EditorColumns implements vscode.Disposable {
  readonly #tell: (columns: number | null) => Promise<unknown>;
  readonly #listening: vscode.Disposable;
  #told: number | null = usualColumns;

  /** `changed` is called where there are other groups of editors, or another active one, or other settings of editors. */
  constructor(tell: (columns: number | null) => Promise<unknown>, changed: () => void) {
    this.#tell = tell;
    this.#listening = vscode.Disposable.from(
      vscode.window.tabGroups.onDidChangeTabGroups(() => changed()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('editor')) changed();
      }),
    );
  }

  async update(): Promise<void> {
    const columns = await columnsInSight();
    if (columns === this.#told) return;
    const before = this.#told;
    this.#told = columns;
    try {
      await this.#tell(columns);
    } catch (error) {
      this.#told = before;
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

/** What of VS Code's settings decides how many characters fit into a width. */
export interface EditorFont {
  /** In px. */
  readonly fontSize: number;
  readonly hasMinimap: boolean;
}

/**
 * How many characters are in sight in the narrowest group of a layout. `layout` is what VS Code answers
 * (`vscode.getEditorLayout`), in px. Letters of a monospaced font are about 0.6 of its size wide; a minimap draws each as
 * one pixel, of 120 columns at most (`editorOptions.ts` of VS Code).
 */
export function columnsOf(layout: unknown, { fontSize, hasMinimap }: EditorFont): number {
  const widths = widthsIn(layout);
  if (widths.length === 0) return usualColumns;
  const letter = 0.61 * fontSize;
  const text = Math.min(...widths) - gutterSizes * fontSize - scrollBarWidth;
  const minimap = hasMinimap ? Math.min(120, text / (letter + 1)) + minimapMargin : 0;
  return Math.max(0, Math.floor((text - minimap) / letter));
}

/** Width of line numbers and the icons beside them, in sizes of the font. */
const gutterSizes = 6.5;
/** In px. */
const scrollBarWidth = 14;
const minimapMargin = 8;

/**
 * The widths in px of the groups of a layout. Groups lie side by side in it, and those within one of them one above the
 * other, and so on; `orientation` 1 begins with those above each other. What has no width of its own is left out.
 */
function widthsIn(layout: unknown): readonly number[] {
  return isRecord(layout) ? widthsBelow(layout, layout['orientation'] !== 1, null) : [];
}

function widthsBelow(
  node: Readonly<Record<string, unknown>>,
  isAcross: boolean,
  width: number | null,
): readonly number[] {
  const groups = Array.isArray(node['groups']) ? node['groups'].filter(isRecord) : [];
  if (groups.length === 0) return width === null ? [] : [width];
  return groups.flatMap((group) => {
    const size = typeof group['size'] === 'number' && group['size'] > 0 ? group['size'] : null;
    return widthsBelow(group, !isAcross, isAcross ? size : width);
  });
}
