import {
  Position,
  Range,
  Selection,
  type TextDocumentShowOptions,
  type TextEditor,
  Uri,
  WorkspaceEdit,
  commands,
  window,
  workspace,
} from 'vscode';
import { type HotPlace, type OfRecording, functionAtRequest, measuredCodeRequest } from '../../protocol/requests.ts';
import { line0 } from '../../protocol/units.ts';
import { nothingToUndo } from '../../words/editor/notifications.ts';
import { emptyStates, noFunctionHere } from '../../words/editor/ways.ts';
import { activeEditor } from '../ui/active-file.ts';
import { inLog } from '../ui/failures.ts';
import { offer } from '../ui/offer.ts';
import { type CommandHost, type FunctionReference, functionReferenceOf } from './command-arguments.ts';

/**
 * The function that a command is about: the one of its argument, else the one at the cursor. Where there is none, the
 * person is told, and it is null.
 */
export async function functionOf(host: CommandHost, argument: unknown): Promise<FunctionReference | null> {
  return functionReferenceOf(argument) ?? (await atCursor(host));
}

/** Shows the hover of the function at the cursor, at its hottest line, with the focus in it. */
export async function explain(host: CommandHost): Promise<void> {
  const found = await atCursor(host);
  const editor = activeEditor();
  if (found === null || editor === undefined) return;
  const { active } = editor.selection;
  const start = editor.document.lineAt(found.line).firstNonWhitespaceCharacterIndex;
  const place = active.line === found.line ? active : new Position(found.line, start);
  editor.selection = new Selection(place, place);
  await window.showTextDocument(editor.document, { ...viewOf(editor), selection: editor.selection });
  await commands.executeCommand('editor.action.showHover', { focus: 'autoFocusImmediately' });
}

/** Puts the code of a function back as it was measured. The edit can be undone as any other. */
export async function undoChange({ services }: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference === null) return;
  const measured = await services.server.ask(measuredCodeRequest, reference);
  if (measured === null) {
    inLog(window.showInformationMessage(nothingToUndo), services.log);
    return;
  }
  const uri = Uri.parse(measured.uri);
  const document = await workspace.openTextDocument(uri);
  const lines = new Range(new Position(measured.firstLine, 0), document.lineAt(measured.lastLine).range.end);
  const edit = new WorkspaceEdit();
  edit.replace(uri, lines, measured.text);
  await workspace.applyEdit(edit);
}

function viewOf({ viewColumn }: TextEditor): TextDocumentShowOptions {
  return viewColumn === undefined ? {} : { viewColumn };
}

async function atCursor({ services }: CommandHost): Promise<OfRecording<HotPlace> | null> {
  const { results, server, log } = services;
  const editor = activeEditor();
  const uri = editor?.document.uri;
  if (results.summary === null) {
    inLog(offer(emptyStates.noRecording, log), log);
    return null;
  }
  const isFile = editor !== undefined && uri?.scheme === 'file';
  const found = isFile
    ? await server.ask(functionAtRequest, { uri: uri.toString(), line: line0(editor.selection.active.line) })
    : null;
  if (found === null) inLog(offer(noFunctionHere, log), log);
  return found;
}
