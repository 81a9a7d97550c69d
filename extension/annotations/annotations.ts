import {
  type DecorationOptions,
  Disposable,
  type ExtensionContext,
  Range,
  type TextDocument,
  type TextEditor,
  window,
  workspace,
} from 'vscode';
import { settings } from '../../protocol/ids.ts';
import { type LineMark, fileMarksRequest } from '../../protocol/requests.ts';
import type { Runs } from '../run/runs.ts';
import type { Services } from '../services.ts';
import { annotationsEnabled, excludedPaths } from '../settings.ts';
import { planOf } from './decoration-plan.ts';
import { createDecorationTypes } from './decoration-types.ts';
import { isExcluded } from './excluded.ts';

/** Marks never change within this time of typing, in ms: until then the editor moves them with the text. */
const quietTime = 1_000;

/** Writes the figures at the ends of hot lines, in every editor that can be seen. */
export function activateAnnotations(
  context: ExtensionContext,
  { server, results, log }: Services,
  runs: Runs,
): Disposable {
  const types = createDecorationTypes(context);
  const typing = new Map<TextDocument, NodeJS.Timeout>();

  const marksOf = async (document: TextDocument): Promise<readonly LineMark[]> => {
    if (results.summary() === null || document.uri.scheme !== 'file' || !annotationsEnabled() || isOff(document))
      return [];
    return (await server.ask(fileMarksRequest, { uri: document.uri.toString() })).marks;
  };
  const draw = async (editor: TextEditor): Promise<void> => {
    const { version } = editor.document;
    const marks = await marksOf(editor.document);
    if (typing.has(editor.document) || editor.document.version !== version) return;
    for (const [key, batch] of planOf(marks, runs.isRunning())) {
      const type = types.get(key);
      if (type !== undefined)
        editor.setDecorations(
          type,
          batch.flatMap((mark) => optionsOf(mark, editor.document)),
        );
    }
  };
  const drawAll = (): void => {
    Promise.all(window.visibleTextEditors.map(draw)).catch((error: unknown) =>
      log.error('The marks could not be drawn.', error),
    );
  };
  const drawWhenQuiet = (document: TextDocument): void => {
    clearTimeout(typing.get(document));
    const timer = setTimeout(() => {
      typing.delete(document);
      drawAll();
    }, quietTime);
    typing.set(document, timer);
  };

  return Disposable.from(
    ...types.values(),
    results.onDidChange(drawAll),
    runs.onDidChange(drawAll),
    window.onDidChangeVisibleTextEditors(drawAll),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && results.summary() !== null) drawWhenQuiet(document);
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(settings.annotations) || event.affectsConfiguration(settings.annotationsExclude))
        drawAll();
    }),
    {
      dispose: () => {
        for (const timer of typing.values()) clearTimeout(timer);
      },
    },
  );
}

function isOff(document: TextDocument): boolean {
  return isExcluded(workspace.asRelativePath(document.uri, false), excludedPaths(document.uri));
}

/** At the end of the line; none for a line that the text no longer has. */
function optionsOf({ line, text }: LineMark, document: TextDocument): readonly DecorationOptions[] {
  if (line < 0 || line >= document.lineCount) return [];
  const { end } = document.lineAt(line).range;
  return [{ range: new Range(end, end), renderOptions: { after: { contentText: text } } }];
}
