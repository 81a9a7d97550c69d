import * as vscode from 'vscode';
import { editedRequest, type FunctionReference } from '../../protocol/requests.ts';
import type { Services } from '../results/results.ts';
import { inLog, on } from '../ui/failures.ts';
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
  let newest = 0;
  let running: FunctionReference | null = null;
  const recheckAll = async (saved: string, which: 'finding' | 'file'): Promise<void> => {
    const number = ++newest;
    left = [saved, ...left.filter((one) => one !== saved)];
    // A path that the build keeps apart (scripts/loaded-apart.mjs).
    const { recheck, stopRecheck } = await import('../run/verify.ts');
    if (running !== null) await stopRecheck(running);
    if (number !== newest) return;
    for (const uri of left) {
      for (const reference of await services.server.ask(editedRequest, { uri, which })) {
        if (number !== newest) return;
        running = reference;
        await recheck(services, cli, reference, { isQuiet: true }).catch((error: unknown) => log.warn(String(error)));
        if (number === newest) running = null;
      }
      if (number !== newest) return;
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
        if (isWanted && results.summary !== null && isCode(document))
          inLog(recheckAll(document.uri.toString(), which), log);
      },
      log,
    ),
  );
}

function isCode({ uri, languageId }: vscode.TextDocument): boolean {
  return uri.scheme === 'file' && codeLanguages.some((language) => language === languageId);
}
