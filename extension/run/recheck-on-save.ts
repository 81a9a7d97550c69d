import * as vscode from 'vscode';
import { editedRequest } from '../../protocol/requests.ts';
import type { Services } from '../results/results.ts';
import { on } from '../ui/failures.ts';
import { codeLanguages, recheckOnSave } from '../ui/settings.ts';

/**
 * Re-checks findings after a save by hand that changed the code of theirs, one after the other, where the person has set
 * it. A newer save stops the one that runs and comes first: the code of all others may have changed with it.
 */
export function activateRecheckOnSave(cli: string, services: Services): vscode.Disposable {
  const { results, log } = services;
  const byHand = new WeakSet<vscode.TextDocument>();
  /** Saved files whose re-checks have not ended, the newest first. */
  let left: readonly string[] = [];
  let newest = new vscode.CancellationTokenSource();
  let running: Promise<unknown> = Promise.resolve();
  const warn = (error: unknown): void => log.warn(String(error));
  const recheckAll = async (saved: string, which: 'finding' | 'file'): Promise<void> => {
    newest.cancel();
    newest = new vscode.CancellationTokenSource();
    const { token } = newest;
    left = [saved, ...left.filter((one) => one !== saved)];
    // A path that the build keeps apart (scripts/loaded-apart.mjs).
    const { recheck } = await import('../run/verify.ts');
    await running;
    if (token.isCancellationRequested) return;
    for (const uri of left) {
      for (const reference of await services.server.ask(editedRequest, { uri, which })) {
        if (token.isCancellationRequested) return;
        running = recheck(services, cli, reference, { isQuiet: true, token }).catch(warn);
        await running;
      }
      if (token.isCancellationRequested) return;
      left = left.filter((one) => one !== uri);
    }
  };
  return vscode.Disposable.from(
    // An automatic save comes while the person types.
    vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
      if (reason === vscode.TextDocumentSaveReason.Manual) byHand.add(document);
    }),
    on(
      vscode.workspace.onDidSaveTextDocument,
      async (document) => {
        const which = recheckOnSave();
        const isWanted = byHand.delete(document) && which !== 'off' && vscode.workspace.isTrusted;
        if (isWanted && results.summary !== null && isCode(document)) await recheckAll(document.uri.toString(), which);
      },
      log,
    ),
  );
}

function isCode({ uri, languageId }: vscode.TextDocument): boolean {
  return uri.scheme === 'file' && codeLanguages.some((language) => language === languageId);
}
