import { CodeLensRefreshRequest, type Connection } from 'vscode-languageserver/node';

/** Asks the editor to ask for lenses again. An editor that cannot will ask when the person types. */
export function refreshLenses(connection: Connection): void {
  connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined);
}
