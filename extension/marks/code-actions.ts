import {
  CodeAction,
  CodeActionKind,
  type Diagnostic,
  type Disposable,
  Range,
  type TextDocument,
  WorkspaceEdit,
  languages,
} from 'vscode';
import { commands } from '../../protocol/ids.ts';
import { isRecord } from '../../protocol/json-value.ts';
import type { LineMark } from '../../protocol/requests.ts';
import { markActions } from '../../words/editor/lens-texts.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { codeLanguages } from '../ui/languages.ts';

/**
 * The actions on a marked line, for those who work by keyboard. VS Code asks for them at each key, so they are made of
 * the marks that are shown, without a question to the server: they do not come and go while the person types.
 */
export function activateCodeActions(marks: ShownMarks): Disposable {
  const kind = CodeActionKind.Empty.append('hotspan');
  const selector = codeLanguages.map((language) => ({ scheme: 'file', language }));
  return languages.registerCodeActionsProvider(
    selector,
    {
      provideCodeActions: (document, range, { diagnostics }) => [
        ...diagnostics.flatMap((one) => replacementOf(one, document)),
        ...(range.isSingleLine ? actionsOn(marks.markAt(document, range.start.line), kind) : []),
      ],
    },
    { providedCodeActionKinds: [kind, CodeActionKind.QuickFix] },
  );
}

interface ShownMarks {
  /** The mark that is shown on a line; null where there is none. */
  readonly markAt: (document: TextDocument, line: number) => LineMark | null;
}

function actionsOn(mark: LineMark | null, kind: CodeActionKind): readonly CodeAction[] {
  const { of = null, text = '' } = mark ?? {};
  if (of === null) return [];
  const action = (title: string, command: string, argument: unknown): CodeAction => {
    const made = new CodeAction(title, kind);
    made.command = { command, title, arguments: [argument] };
    return made;
  };
  return [
    action(`${markActions.explain}: ${visible(text)}`, commands.explain, undefined),
    action(markActions.recheck, commands.recheck, of),
    action(markActions.worst, commands.openWorst, of),
  ];
}

/** The quick fix of a diagnostic whose remedy can stand in place of its line. */
function replacementOf(diagnostic: Diagnostic, document: TextDocument): readonly CodeAction[] {
  const data = 'data' in diagnostic ? diagnostic.data : null;
  const replacement = isRecord(data) ? data['replacement'] : null;
  if (diagnostic.source !== 'hotspan' || typeof replacement !== 'string') return [];
  const line = document.lineAt(diagnostic.range.start.line);
  const indentation = line.text.slice(0, line.firstNonWhitespaceCharacterIndex);
  const fix = new CodeAction(
    `${markActions.replace}: ${visible(replacement.split('\n').at(-1) ?? '', 80)}`,
    CodeActionKind.QuickFix,
  );
  fix.diagnostics = [diagnostic];
  fix.edit = new WorkspaceEdit();
  const range = new Range(line.range.start, line.range.end);
  fix.edit.replace(
    document.uri,
    range,
    replacement
      .split('\n')
      .map((text) => `${indentation}${text}`)
      .join('\n'),
  );
  return [fix];
}
