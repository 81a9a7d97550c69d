import {
  type DecorationOptions,
  type ExtensionContext,
  type TextDocument,
  type TextEditor,
  type TextEditorDecorationType,
  Disposable,
  Range,
  window,
  workspace,
  DecorationRangeBehavior,
  OverviewRulerLane,
  ThemeColor,
} from 'vscode';
import { visible } from '../words/formats/hidden-characters.ts';
import { type LineMark, fileMarksRequest, type Tone } from '../protocol/requests.ts';
import type { Runs } from './run/runs.ts';
import type { Services } from './results/services.ts';
import { colors } from '../protocol/ids.ts';

export function activateAnnotations(context: ExtensionContext, services: Services, runs: Runs): Disposable {
  return new Annotations(createDecorationTypes(context), services, runs);
}

/** Marks stay as they are for this time after typing, in ms: meanwhile the editor moves them with the text. */
const quietTime = 1_000;

/** Writes the figures at the ends of hot lines, in every editor that can be seen. */
class Annotations implements Disposable {
  readonly #types: ReadonlyMap<string, TextEditorDecorationType>;
  readonly #services: Services;
  readonly #runs: Runs;
  readonly #listening: Disposable;
  /** The last drawing of each editor, so that a late answer does not replace a newer one. */
  readonly #drawings = new WeakMap<TextEditor, symbol>();
  /** Documents that the person is typing in. */
  readonly #typing = new Map<TextDocument, NodeJS.Timeout>();

  constructor(types: ReadonlyMap<string, TextEditorDecorationType>, services: Services, runs: Runs) {
    this.#types = types;
    this.#services = services;
    this.#runs = runs;
    this.#listening = Disposable.from(
      services.results.onDidChange(() => this.#drawAll()),
      runs.onDidChange(() => this.#drawAll()),
      window.onDidChangeVisibleTextEditors(() => this.#drawAll()),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && services.results.summary !== null && mayHaveMarks(document))
          this.#drawWhenQuiet(document);
      }),
    );
  }

  dispose(): void {
    this.#listening.dispose();
    for (const timer of this.#typing.values()) clearTimeout(timer);
    for (const type of this.#types.values()) type.dispose();
  }

  #drawAll(): void {
    const drawing = window.visibleTextEditors.map(async (editor) => this.#draw(editor));
    Promise.all(drawing).catch((error: unknown) => this.#services.log.error('The marks could not be drawn.', error));
  }

  #drawWhenQuiet(document: TextDocument): void {
    clearTimeout(this.#typing.get(document));
    const timer = setTimeout(() => {
      this.#typing.delete(document);
      this.#drawAll();
    }, quietTime);
    this.#typing.set(document, timer);
  }

  /** Replaces all marks at once, unless the text has changed since the new ones were asked for. */
  async #draw(editor: TextEditor): Promise<void> {
    const { document } = editor;
    const { version } = document;
    const drawing = Symbol('drawing');
    this.#drawings.set(editor, drawing);
    const marks = await this.#marksOf(document);
    const isLate = this.#drawings.get(editor) !== drawing || document.version !== version;
    if (isLate || this.#typing.has(document)) return;
    for (const [key, batch] of planOf(marks, this.#runs.isRunning)) {
      const type = this.#types.get(key);
      const options = batch.flatMap((mark) => optionsOf(mark, document));
      if (type !== undefined) editor.setDecorations(type, options);
    }
  }

  async #marksOf(document: TextDocument): Promise<readonly LineMark[]> {
    const { results, server, shown } = this.#services;
    if (results.summary === null || !mayHaveMarks(document) || !shown.has(document.uri)) return [];
    return (await server.ask(fileMarksRequest, { uri: document.uri.toString() })).marks;
  }
}

/**
 * Whether a document is a file. Output channels, terminals and sides of a comparison have no marks, and changes in them
 * change none.
 */
function mayHaveMarks({ uri }: TextDocument): boolean {
  return uri.scheme === 'file';
}

/** The decoration at the end of the line; none for a line that the text no longer has. */
function optionsOf({ line, text }: LineMark, document: TextDocument): readonly DecorationOptions[] {
  if (line < 0 || line >= document.lineCount) return [];
  const { end } = document.lineAt(line).range;
  return [{ range: new Range(end, end), renderOptions: { after: { contentText: visible(text) } } }];
}

/**
 * The marks of a file by style key. Every key is present, so that setting all of them removes the old marks.
 * `dimmed` is true while a run goes on: these are the figures of the run before.
 */
export function planOf(marks: readonly LineMark[], dimmed: boolean): ReadonlyMap<string, readonly LineMark[]> {
  return new Map(styles.map(({ key }) => [key, marks.filter((mark) => keyOf(mark, dimmed) === key)]));
}

function keyOf(mark: LineMark, dimmed: boolean): string {
  if (mark.tone === 'background') return style('slow', 'background').key;
  // A function shown by its total time may never have blocked for long: it gets the look of the lowest class.
  const shown = mark.class === 'fast' ? 'medium' : mark.class;
  return style(shown, dimmed ? 'dim' : mark.tone).key;
}

/** One decoration type for each style, by its key. */
function createDecorationTypes(context: ExtensionContext): ReadonlyMap<string, TextEditorDecorationType> {
  return new Map(styles.map((style) => [style.key, createType(context, style)]));
}

function createType(context: ExtensionContext, style: Style): TextEditorDecorationType {
  const isBackground = style.tone === 'background';
  const color = new ThemeColor(isBackground ? colors.background : colors[style.class]);
  const icon = isBackground ? 'background' : icons[style.class];
  return window.createTextEditorDecorationType({
    rangeBehavior: DecorationRangeBehavior.ClosedClosed,
    overviewRulerColor: color,
    overviewRulerLane: OverviewRulerLane.Right,
    gutterIconPath: context.asAbsolutePath(`media/heat-${icon}.svg`),
    gutterIconSize: '75%',
    after: { color, margin: '0 0 0 3em', fontStyle: style.tone === 'plain' ? 'normal' : 'italic', ...dimmed(style) },
  });
}

const icons = { medium: 'medium', slow: 'slow', verySlow: 'very-slow', monster: 'monster' } as const;

/** Decorations have no opacity of their own: VS Code passes what follows `;` on to the style sheet. */
function dimmed({ tone }: Style): { readonly textDecoration?: string } {
  return tone === 'dim' ? { textDecoration: 'none; opacity: 0.6' } : {};
}

/** One look of marks. Each is one decoration type, so that a file is drawn in a few batches. */
interface Style {
  readonly key: string;
  readonly class: MarkedClass;
  readonly tone: Tone;
}

type MarkedClass = 'medium' | 'slow' | 'verySlow' | 'monster';

export const styles: readonly Style[] = [
  ...(['medium', 'slow', 'verySlow', 'monster'] as const).flatMap((mark) => [style(mark, 'plain'), style(mark, 'dim')]),
  style('slow', 'background'),
];

function style(mark: MarkedClass, tone: Tone): Style {
  return { key: `${mark}-${tone}`, class: mark, tone };
}
