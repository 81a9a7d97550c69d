import { messageOf } from '../../protocol/failure.ts';
import {
  type ClientCapabilities,
  CodeLensRefreshRequest,
  type Connection,
  DiagnosticRefreshRequest,
  DidChangeConfigurationNotification,
  DocumentDiagnosticReportKind,
  type Hover,
  type HoverParams,
  InlayHintRefreshRequest,
  LSPErrorCodes,
  MarkupContent,
  MarkupKind,
  MessageType,
  ResponseError,
  type ServerCapabilities,
  ShowMessageNotification,
} from 'vscode-languageserver/node';
import { isRecord } from '../../protocol/json-value.ts';
import { type Diagnostics, diagnosticsOf } from '../features/diagnostics.ts';
import { hover } from '../features/hover.ts';
import type { Session } from '../recordings/session.ts';
import { fewerEscapes, plainText, editorCommands, runCommand, ShowDocument } from './commands.ts';
import { actionKind, codeActions, hotspotSymbols, inlayHints, plainLenses } from './lines.ts';
import { NewestResults } from './newest-results.ts';
import type { AnalysisOptions, DisplayOptions } from '../../protocol/requests.ts';
import {
  readAnalysisOptions,
  readDisplayOptions,
  readerOf,
  readSwitches,
  wrongValue,
} from '../../words/editor/read-settings.ts';

/** How `server.ts` goes on with an editor that `serveEditor` serves. */
export interface ServedEditor {
  readonly capabilities: ServerCapabilities;
  /** Call it when the open folders have changed. */
  readonly rootsChanged: () => void;
  readonly close: () => void;
}

/**
 * Serves an editor without our extension: it needs no request beside those of LSP. It gets the newest recording of each open
 * folder, and what the extension would draw as lenses, inlay hints, diagnostics, actions and symbols.
 */
export function serveEditor(session: Session, connection: Connection, diagnostics: Diagnostics): ServedEditor {
  const { client } = session;
  session.change({ columns: null }); // Its lines are as long as they are: no lens stands in for a hint.
  // An editor that cannot be told to pull again, such as Neovim 0.11, would keep those of the recording before.
  const canPullAgain = client.workspace?.diagnostics?.refreshSupport === true;
  const pulls = canPullAgain && client.textDocument?.diagnostic !== undefined;
  const refresh = (): void => {
    for (const { method } of refreshesOf(client)) connection.sendRequest(method).catch(() => undefined);
    if (!pulls) diagnostics.refresh();
  };
  const newest = new NewestResults(session, connection, refresh);
  let settings = readSettings(undefined);
  const apply = (section: unknown): void => {
    settings = readSettings(section);
    for (const message of settings.problems)
      void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message });
    session.change({ display: settings.display });
    newest.update(settings.options);
    refresh();
  };
  followSettings(connection, client, apply);
  answerEditor(session, connection, () => settings);
  return {
    capabilities: capabilitiesFor(pulls),
    rootsChanged: () => newest.update(settings.options),
    close: () => newest.close(),
  };
}

/** Only what the editor says that it understands. */
function refreshesOf({ workspace = {} }: ClientCapabilities): readonly { readonly method: string }[] {
  return [
    ...(workspace.codeLens?.refreshSupport === true ? [CodeLensRefreshRequest] : []),
    ...(workspace.inlayHint?.refreshSupport === true ? [InlayHintRefreshRequest] : []),
    ...(workspace.diagnostics?.refreshSupport === true ? [DiagnosticRefreshRequest] : []),
  ];
}

/** An editor is asked for the section `hotspan`, else it sends all settings when they change. */
function followSettings(
  connection: Connection,
  { workspace = {} }: ClientCapabilities,
  apply: (section: unknown) => void,
): void {
  const ask = async (): Promise<void> => {
    const isAsked = workspace.configuration === true;
    apply(isAsked ? await connection.workspace.getConfiguration('hotspan').catch(() => null) : null);
  };
  connection.onInitialized(() => {
    if (workspace.didChangeConfiguration?.dynamicRegistration === true)
      connection.client
        .register(DidChangeConfigurationNotification.type, { section: 'hotspan' })
        .catch((error: unknown) => connection.console.error(String(error)));
    const unanswered = setTimeout(() => apply(null), MAX_ANSWER_MS).unref();
    void ask().finally(() => clearTimeout(unanswered));
  });
  connection.onDidChangeConfiguration(({ settings }: { readonly settings: unknown }) => {
    if (workspace.configuration === true) void ask();
    else apply(isRecord(settings) ? settings['hotspan'] : null);
  });
}

/** After this time the defaults count, until the editor answers. */
const MAX_ANSWER_MS = 2_000;

function answerEditor(session: Session, connection: Connection, settings: () => EditorSettings): void {
  const { client } = session;
  const show = new ShowDocument(connection, client.window?.showDocument?.support === true);
  const hasActions = client.textDocument?.codeAction?.codeActionLiteralSupport !== undefined;
  connection.onCodeLens(async (params) => plainLenses(session, params));
  connection.onHover(async (params) => hoverFor(session, params));
  connection.languages.inlayHint.on(async (params) => (settings().hints ? inlayHints(session, params) : []));
  connection.languages.diagnostics.on(async ({ textDocument: { uri } }) => {
    return { kind: DocumentDiagnosticReportKind.Full, items: [...(await diagnosticsOf(session, uri))] };
  });
  connection.onCodeAction(async (params) => {
    const actions = await codeActions(session, params);
    return hasActions ? actions : actions.flatMap(({ command }) => command ?? []);
  });
  connection.onExecuteCommand(async (params) =>
    runCommand(session, show, params).catch((error: unknown) => {
      const message = messageOf(error);
      return new ResponseError(LSPErrorCodes.RequestFailed, message); // An error alone would name the request first.
    }),
  );
  connection.onWorkspaceSymbol(async (params) => hotspotSymbols(session, params));
}

/** As plain text where the editor does not say that it shows Markdown. */
async function hoverFor(session: Session, params: HoverParams): Promise<Hover | null> {
  const found = await hover(session, params);
  if (found === null || !MarkupContent.is(found.contents)) return found;
  const { value } = found.contents;
  const formats = session.client.textDocument?.hover?.contentFormat ?? [MarkupKind.Markdown];
  const contents = formats.includes(MarkupKind.Markdown)
    ? { kind: MarkupKind.Markdown, value: fewerEscapes(value) }
    : { kind: MarkupKind.PlainText, value: plainText(value) };
  return { contents };
}

function capabilitiesFor(pulls: boolean): ServerCapabilities {
  return {
    inlayHintProvider: true,
    codeActionProvider: { codeActionKinds: ['quickfix', actionKind] },
    executeCommandProvider: { commands: [...editorCommands] },
    workspaceSymbolProvider: true,
    ...(pulls
      ? { diagnosticProvider: { identifier: 'hotspan', interFileDependencies: false, workspaceDiagnostics: false } }
      : {}),
  };
}

/** What the settings of the extension are to an editor that knows only those of the protocol, by the same names. */
interface EditorSettings {
  readonly options: AnalysisOptions;
  readonly display: DisplayOptions;
  /** Whether lines have inlay hints. */
  readonly hints: boolean;
  /** One sentence for each value that is not used. */
  readonly problems: readonly string[];
}

/** Reads the section `hotspan`: `{ diagnostics: { threshold: 100 } }` or `{ 'diagnostics.threshold': 100 }`. */
function readSettings(section: unknown): EditorSettings {
  const problems: string[] = [];
  const read = readerOf(
    (id) => valueAt(section, id.split('.').slice(1)),
    (name) => problems.push(wrongValue(name)),
  );
  const { annotations: hints } = readSwitches(read);
  const display = readDisplayOptions(read);
  return {
    options: readAnalysisOptions(read),
    display: { ...display, codeLens: hints && display.codeLens },
    hints,
    problems,
  };
}

function valueAt(section: unknown, names: readonly string[]): unknown {
  if (!isRecord(section)) return undefined;
  const whole = section[names.join('.')];
  if (whole !== undefined) return whole;
  const [first = '', ...rest] = names;
  return rest.length === 0 ? undefined : valueAt(section[first], rest);
}
