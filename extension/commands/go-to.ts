import type { HotspotItem } from '../../protocol/list-rows.ts';
import { type Direction, type Spot, stepFrom, worstFirst } from '../../protocol/next-hotspot.ts';
import type { Location } from '../../protocol/places.ts';
import type { FunctionReference, HotPlace, OfRecording } from '../../protocol/requests.ts';
import { locateRequest, hotspotsRequest, functionAtRequest, measuredCodeRequest } from '../../protocol/requests.ts';
import type { TakenForm } from '../../protocol/webview.ts';
import { inLog, showFailure } from '../ui/failures.ts';
import { offer } from '../results/last-run.ts';
import { emptyStates, noHotspot, noFunctionHere } from '../../words/editor/ways.ts';
import { openSourceAt, activeEditor } from '../ui/open-source.ts';
import {
  pickResult,
  diffReferenceOf,
  functionReferenceOf,
  locationOf,
  operationReferenceOf,
  type CommandHost,
} from './command-arguments.ts';
import * as vscode from 'vscode';
import { type RemedyPage, remedyPages } from '../../protocol/ids.ts';
import { line0 } from '../../protocol/units.ts';
import { nothingToUndo } from '../../words/editor/notifications.ts';

export async function openHotspot(host: CommandHost, argument: unknown): Promise<void> {
  if (functionReferenceOf(argument) !== null) return openCulprit(host, argument);
  return openSourceAt(locationOf(argument) ?? { why: 'This row names no file of this machine.' }, host.services.log);
}

/** Opens the source of a function. */
export async function openSource({ services }: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference !== null) await openSourceAt(await services.server.ask(locateRequest, reference), services.log);
}

/** Opens the flamegraph of the result of a row, or of the one that the person picks. */
export async function openFlamegraph({ services, flamegraph }: CommandHost, argument: unknown): Promise<void> {
  const { results, log } = services;
  if (results.all.length === 0) {
    offer(emptyStates.noRecording, log);
    return;
  }
  const result = await pickResult(results, argument, 'Which result to show as a flamegraph');
  if (result !== null) await flamegraph.open(result.summary.recording);
}

/** Copies or saves the visible flamegraph; opens one first where there is none. */
export async function takeAway(host: CommandHost, form: TakenForm): Promise<void> {
  if (!host.flamegraph.takeAway(form)) await openFlamegraph(host, undefined);
}

/** Forgets the result of a row, or the one that the person picks. */
export async function forgetResult({ services: { results } }: CommandHost, argument: unknown): Promise<void> {
  const result = await pickResult(results, argument, 'Which result to forget; its recording stays');
  if (result !== null) await results.forget(result.target);
}

export async function openFunction({ flamegraph }: CommandHost, argument: unknown): Promise<void> {
  await openAt(flamegraph, argument, false);
}

/** Opens the flamegraph with the worst operation of a function, or of the one at the cursor, alone. */
export async function openWorst(host: CommandHost, argument: unknown): Promise<void> {
  await openAt(host.flamegraph, await functionOf(host, argument), true);
}

export async function openOperation({ flamegraph }: CommandHost, argument: unknown): Promise<void> {
  const reference = operationReferenceOf(argument);
  if (reference !== null) await flamegraph.open(reference.recording, { operation: reference.operation });
}

export async function openCulprit({ services }: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference === null) return;
  const location = await services.server.ask(locateRequest, { ...reference, hottest: true });
  await openSourceAt(location, services.log);
}

export async function openDiffFlamegraph({ flamegraph, services }: CommandHost, argument: unknown): Promise<void> {
  const diff = diffReferenceOf(argument);
  if (diff === null) showFailure(notADiff, services.log);
  else await flamegraph.openDiff(diff);
}

const notADiff =
  'A diff needs the absolute paths of recordings of both sides: { "base": […], "head": […], "place": { "url", "line", "name" } or null }.';

async function openAt(flamegraph: CommandHost['flamegraph'], argument: unknown, alone: boolean): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference !== null) await flamegraph.open(reference.recording, { functionId: reference.functionId, alone });
}

/** Goes through the hotspots and the imports of packages of all results, worst first; from any other place to the worst. */
export async function goToHotspot(host: CommandHost, direction: Direction): Promise<void> {
  const { server, results, log } = host.services;
  const found = await server.ask(hotspotsRequest, { groupBy: 'function', sortBy: 'worst' });
  const all = worstFirst(found, ['functions', 'package']);
  const next = stepFrom(placeOfCursor(), locationsOf(all), direction);
  const worst = all.find((one) => functionReferenceOf(one) !== null);
  if (next !== null) await openSourceAt(next, log);
  else if (worst !== undefined) await openCulprit(host, worst); // It has no line, and the server says why.
  else offer(results.summary === null ? emptyStates.noRecording : noHotspot(results.summary.thresholdUs), log);
}

/** Goes through the findings of all results in the order of the verdict; without findings, through the hotspots. */
export async function goToFinding(host: CommandHost): Promise<void> {
  const { server, log } = host.services;
  const all = await server.ask(hotspotsRequest, { groupBy: 'function', sortBy: 'worst' });
  const findings = all.flatMap(({ verdict }) => verdict.findings);
  const next = stepFrom(placeOfCursor(), locationsOf(findings), 'next');
  if (next === null) await goToHotspot(host, 'next');
  else await openSourceAt(next, log);
}

function locationsOf(items: readonly HotspotItem[]): readonly Location[] {
  return items.flatMap(({ location }) => (location === null ? [] : [location]));
}

function placeOfCursor(): Spot | null {
  const editor = activeEditor();
  return editor === undefined ? null : { uri: editor.document.uri.toString(), line: editor.selection.active.line };
}

/** Opens a page about a remedy, from a link of a hover. */
export async function openRemedy({ context }: Pick<CommandHost, 'context'>, argument: unknown): Promise<void> {
  const page = remedyPageOf(argument);
  if (page === null) return;
  const uri = vscode.Uri.joinPath(context.extensionUri, 'docs', 'remedies', `${page}.md`);
  try {
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  } catch {
    await vscode.window.showTextDocument(uri); // The built-in extension that shows Markdown can be switched off.
  }
}

export function remedyPageOf(argument: unknown): RemedyPage | null {
  if (typeof argument !== 'object' || argument === null || !('page' in argument)) return null;
  return remedyPages.find((page) => page === argument.page) ?? null;
}

/** The function that the argument names, else the one at the cursor; null, with a message, where there is none. */
export async function functionOf(host: CommandHost, argument: unknown): Promise<FunctionReference | null> {
  return functionReferenceOf(argument) ?? (await atCursor(host));
}

/** Moves to the hottest line of the function at the cursor, and shows its hover with the focus. */
export async function explain(host: CommandHost): Promise<void> {
  const found = await atCursor(host);
  const editor = activeEditor();
  if (found === null || editor === undefined) return;
  const { active } = editor.selection;
  const start = editor.document.lineAt(found.line).firstNonWhitespaceCharacterIndex;
  const place = active.line === found.line ? active : new vscode.Position(found.line, start);
  editor.selection = new vscode.Selection(place, place);
  const { selection, viewColumn } = editor;
  const options = viewColumn === undefined ? { selection } : { selection, viewColumn };
  await vscode.window.showTextDocument(editor.document, options);
  await vscode.commands.executeCommand('editor.action.showHover', { focus: 'autoFocusImmediately' });
}

/** Restores the code of a function as it was measured. The edit can be undone. */
export async function undoChange(host: CommandHost, argument: unknown): Promise<void> {
  const { services } = host;
  const reference = await functionOf(host, argument);
  if (reference === null) return;
  const measured = await services.server.ask(measuredCodeRequest, reference);
  if (measured === null) {
    inLog(vscode.window.showInformationMessage(nothingToUndo), services.log);
    return;
  }
  const uri = vscode.Uri.parse(measured.uri);
  const document = await vscode.workspace.openTextDocument(uri);
  const lines = new vscode.Range(
    new vscode.Position(measured.firstLine, 0),
    document.lineAt(measured.lastLine).range.end,
  );
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, lines, measured.text);
  await vscode.workspace.applyEdit(edit);
}

async function atCursor({ services }: CommandHost): Promise<OfRecording<HotPlace> | null> {
  const { results, server, log } = services;
  const editor = activeEditor();
  const uri = editor?.document.uri;
  if (results.summary === null) {
    offer(emptyStates.noRecording, log);
    return null;
  }
  const isFile = editor !== undefined && uri?.scheme === 'file';
  const found = isFile
    ? await server.ask(functionAtRequest, { uri: uri.toString(), line: line0(editor.selection.active.line) })
    : null;
  if (found === null) offer(noFunctionHere, log);
  return found;
}
