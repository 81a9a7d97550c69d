import * as vscode from 'vscode';
import { colors, commands as ids, contextKeys } from '../../protocol/ids.ts';
import { type LineMark, fileMarksRequest } from '../../protocol/requests.ts';
import type { Services } from '../results/results.ts';
import type { Runs } from '../run/runs.ts';
import type { TextChange, TextNow, TrackedMark, TrackedMarks } from './tracked-marks.ts';
import type { Tone } from '../../protocol/figures.ts';
import { isRecord } from '../../protocol/json-value.ts';
import { markActions } from '../../words/editor/lens-texts.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import { codeLanguages } from '../ui/settings.ts';

export function activateAnnotations(context: vscode.ExtensionContext, services: Services, runs: Runs): Annotations {
  return new Annotations(new Map(styles.map((one) => [one.key, createType(context, one)])), services, runs);
}

/** How long new figures wait after typing, in ms, so that nothing jumps. */
const quietTime = 1_000;
/** The same after a paste, an undo or a format. */
const shortTime = 100;

/**
 * Writes the figures at the ends of hot lines in visible editors. VS Code moves marks with the text; only those that
 * change or go are set again.
 */
class Annotations implements vscode.Disposable {
  readonly #types: ReadonlyMap<string, vscode.TextEditorDecorationType>;
  readonly #services: Services;
  readonly #runs: Runs;
  readonly #listening: vscode.Disposable;
  readonly #marks = new WeakMap<vscode.TextDocument, TrackedMarks>();
  /** Ids of the marks of each style that each editor shows. */
  readonly #shown = new WeakMap<vscode.TextEditor, Map<string, string>>();
  /** Prevents that a late answer replaces a newer one. */
  readonly #asked = new WeakMap<vscode.TextDocument, symbol>();
  /** Documents that have just changed, with the timer of their next question. */
  readonly #changing = new Map<vscode.TextDocument, NodeJS.Timeout>();

  constructor(types: ReadonlyMap<string, vscode.TextEditorDecorationType>, services: Services, runs: Runs) {
    this.#types = types;
    this.#services = services;
    this.#runs = runs;
    this.#listening = vscode.Disposable.from(
      services.results.onDidChange(() => this.#drawAll()),
      services.server.onDidChangeColumns(() => this.#drawAll()),
      runs.onDidChange(() => this.#drawAll()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#drawAll()),
      vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
    );
  }

  dispose(): void {
    this.#listening.dispose();
    for (const timer of this.#changing.values()) clearTimeout(timer);
    for (const type of this.#types.values()) type.dispose();
  }

  markAt(document: vscode.TextDocument, line: number): LineMark | null {
    const marks = this.#marks.get(document)?.all ?? [];
    return marks.find(({ anchor }) => document.positionAt(anchor).line === line)?.mark ?? null;
  }

  #drawAll(): void {
    for (const document of new Set(vscode.window.visibleTextEditors.map((editor) => editor.document)))
      this.#draw(document);
  }

  #draw(document: vscode.TextDocument): void {
    const drawing = this.#ask(document);
    drawing.catch((error: unknown) => this.#services.log.error('The marks could not be drawn.', error));
  }

  /** Takes over the marks of a document, unless its text has changed meanwhile. */
  async #ask(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    const asked = Symbol('asked');
    this.#asked.set(document, asked);
    if (this.#services.results.all.length === 0 && !this.#marks.has(document)) return;
    const marks = await this.#marksOf(document);
    const { TrackedMarks } = await import('./tracked-marks.ts');
    if (this.#asked.get(document) !== asked || document.version !== version || this.#changing.has(document)) return;
    const tracked = this.#marks.get(document) ?? new TrackedMarks();
    this.#marks.set(document, tracked);
    tracked.replace(marks, textNow(document));
    await this.#showEverywhere(document, tracked);
  }

  async #marksOf(document: vscode.TextDocument): Promise<readonly LineMark[]> {
    const { results, server, shown } = this.#services;
    if (results.all.length === 0 || !mayHaveMarks(document) || !shown.has(document.uri)) return [];
    return (await server.ask(fileMarksRequest, { uri: document.uri.toString() })).marks;
  }

  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const hasFigures = this.#services.results.all.length > 0 && mayHaveMarks(document);
    if (contentChanges.length === 0 || !hasFigures) return;
    const changes = contentChanges.map(changeOf);
    const marks = this.#marks.get(document);
    if (marks?.follow(changes, textNow(document)) === true) {
      const showing = this.#showEverywhere(document, marks);
      showing.catch((error: unknown) => this.#services.log.error('The marks could not be drawn.', error));
    }
    clearTimeout(this.#changing.get(document));
    const timer = setTimeout(
      () => {
        this.#changing.delete(document);
        this.#draw(document);
      },
      changes.every(isOneKey) ? quietTime : shortTime,
    );
    this.#changing.set(document, timer);
  }

  async #showEverywhere(document: vscode.TextDocument, marks: TrackedMarks): Promise<void> {
    const editors = vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
    await Promise.all(editors.map(async (editor) => this.#show(editor, marks)));
  }

  /**
   * Sets the styles that differ from what the editor shows. VS Code may have text that we do not have yet, and would
   * then place marks wrongly: so this waits for an answer of VS Code, and sets them again if the text has changed.
   */
  async #show(editor: vscode.TextEditor, marks: TrackedMarks): Promise<void> {
    const { document } = editor;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { version } = document;
      const changed = this.#setChanged(editor, marks);
      if (changed.length === 0) return;
      await vscode.commands.executeCommand('setContext', contextKeys.marksAreShown, true);
      if (document.version === version) return;
      for (const style of changed) this.#shown.get(editor)?.delete(style);
    }
  }

  /** The keys of the styles that were set. */
  #setChanged(editor: vscode.TextEditor, marks: TrackedMarks): readonly string[] {
    const shown = this.#shown.get(editor) ?? new Map<string, string>();
    this.#shown.set(editor, shown);
    const plan = planOf(marks.all, this.#runs.isRunning);
    return [...this.#types].flatMap(([style, type]) => {
      const batch = plan.get(style) ?? [];
      const ids = batch.map(({ id }) => id).join();
      if ((shown.get(style) ?? '') === ids && shown.has(style)) return [];
      shown.set(style, ids);
      editor.setDecorations(
        type,
        batch.map((mark) => optionsOf(mark, editor.document)),
      );
      return [style];
    });
  }
}

/** Each attempt lasts as long as an answer of VS Code: typing is never that fast. */
const MAX_ATTEMPTS = 50;

/** The marks of a file by style. During a run they are dimmed: the figures are the previous run's. */
export function planOf(marks: readonly TrackedMark[], isRunning: boolean): ReadonlyMap<string, readonly TrackedMark[]> {
  const plan = new Map<string, TrackedMark[]>();
  for (const tracked of marks) {
    const style = styleOf(tracked.mark, tracked.isStale || isRunning);
    const batch = plan.get(style);
    if (batch === undefined) plan.set(style, [tracked]);
    else batch.push(tracked);
  }
  return plan;
}

function optionsOf({ mark, anchor }: TrackedMark, document: vscode.TextDocument): vscode.DecorationOptions {
  const range = new vscode.Range(document.positionAt(anchor), document.positionAt(anchor + 1));
  return mark.isBehind ? { range, renderOptions: { after: { contentText: visible(mark.text) } } } : { range };
}

/** Output channels, terminals and sides of a comparison have no marks. */
function mayHaveMarks({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'file';
}

function changeOf({
  range,
  rangeOffset,
  rangeLength,
  text,
}: vscode.TextDocumentChangeEvent['contentChanges'][number]): TextChange {
  return { start: rangeOffset, end: rangeOffset + rangeLength, text, isOverLines: !range.isSingleLine };
}

/** Enter may insert indentation, too. */
function isOneKey({ start, end, text }: TextChange): boolean {
  return end - start <= 1 && (text.length <= 2 || text.trim() === '');
}

function textNow(document: vscode.TextDocument): TextNow {
  const { lineCount } = document;
  return {
    path: document.uri.path,
    lineCount,
    lineAt: (line) => document.lineAt(line).text,
    startOf: (line) => document.offsetAt(document.lineAt(line).range.start),
    lineOf: (offset) => document.positionAt(offset).line,
    textBetween: (start, end) =>
      document.getText(new vscode.Range(document.positionAt(start), document.positionAt(end))),
  };
}

/** One look of marks, with one decoration type: a file is drawn in a few batches. */
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

/** `isDimmed`: the figures are from an earlier run, or the code has changed. */
export function styleOf(mark: LineMark, isDimmed: boolean): string {
  if (mark.tone === 'background') return style('slow', 'background').key;
  // A function shown by its total time may never have blocked for long: it gets the look of the lowest class.
  const shown = mark.class === 'fast' ? 'medium' : mark.class;
  return style(shown, isDimmed ? 'dim' : mark.tone).key;
}

function createType(context: vscode.ExtensionContext, one: Style): vscode.TextEditorDecorationType {
  const isBackground = one.tone === 'background';
  const color = new vscode.ThemeColor(isBackground ? colors.background : colors[one.class]);
  const icon = isBackground ? 'background' : `${icons[one.class]}${one.tone === 'dim' ? '-dim' : ''}`;
  return vscode.window.createTextEditorDecorationType({
    // The range is the first word of the line, which the line takes with it; the text is at the end of the line.
    isWholeLine: true,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    overviewRulerColor: color,
    overviewRulerLane: vscode.OverviewRulerLane.Right,
    gutterIconPath: context.asAbsolutePath(`media/heat-${icon}.svg`),
    gutterIconSize: '75%',
    after: { color, margin: '0 0 0 3em', fontStyle: one.tone === 'plain' ? 'normal' : 'italic', ...dimmed(one) },
  });
}

const icons = { medium: 'medium', slow: 'slow', verySlow: 'very-slow', monster: 'monster' } as const;

/** Decorations have no opacity, but VS Code passes what follows `;` on to the style sheet. */
function dimmed({ tone }: Style): { readonly textDecoration?: string } {
  return tone === 'dim' ? { textDecoration: 'none; opacity: 0.6' } : {};
}

/** The actions on a marked line. VS Code asks at each key, so they come from the shown marks, not from the server. */
export function activateCodeActions(marks: Pick<Annotations, 'markAt'>): vscode.Disposable {
  const kind = vscode.CodeActionKind.Empty.append('hotspan');
  const selector = codeLanguages.map((language) => ({ scheme: 'file', language }));
  return vscode.languages.registerCodeActionsProvider(
    selector,
    {
      provideCodeActions: (document, range, { diagnostics }) => [
        ...diagnostics.flatMap((one) => replacementOf(one, document)),
        ...(range.isSingleLine ? actionsOn(marks.markAt(document, range.start.line), kind) : []),
      ],
    },
    { providedCodeActionKinds: [kind, vscode.CodeActionKind.QuickFix] },
  );
}

function actionsOn(mark: LineMark | null, kind: vscode.CodeActionKind): readonly vscode.CodeAction[] {
  const { of = null, text = '' } = mark ?? {};
  if (of === null) return [];
  const action = (title: string, command: string, argument: unknown): vscode.CodeAction => {
    const made = new vscode.CodeAction(title, kind);
    made.command = { command, title, arguments: [argument] };
    return made;
  };
  return [
    action(`${markActions.explain}: ${visible(text)}`, ids.explain, undefined),
    action(markActions.recheck, ids.recheck, of),
    action(markActions.worst, ids.openWorst, of),
  ];
}

function replacementOf(diagnostic: vscode.Diagnostic, document: vscode.TextDocument): readonly vscode.CodeAction[] {
  const data = 'data' in diagnostic ? diagnostic.data : null;
  const { replacement = null, replaced = null } = isRecord(data) ? data : {};
  if (diagnostic.source !== 'hotspan' || typeof replacement !== 'string') return [];
  const line = document.lineAt(diagnostic.range.start.line);
  if (line.text.trim() !== replaced) return []; // It was edited, and the diagnostics are still those of before.
  const indentation = line.text.slice(0, line.firstNonWhitespaceCharacterIndex);
  const lines = replacement.split('\n');
  const title = `${markActions.replace}: ${visible(lines.at(-1) ?? '', 80)}`;
  const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  fix.diagnostics = [diagnostic];
  fix.edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(line.range.start, line.range.end);
  fix.edit.replace(document.uri, range, lines.map((text) => `${indentation}${text}`).join('\n'));
  return [fix];
}
