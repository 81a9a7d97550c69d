import { commands, Uri, window } from 'vscode';
import { type RemedyPage, remedyPages } from '../../protocol/remedy-pages.ts';
import type { CommandHost } from './command-arguments.ts';

/** Opens a page about a remedy, which is packed with the extension, from a link of a hover. */
export async function openRemedy({ context }: Pick<CommandHost, 'context'>, argument: unknown): Promise<void> {
  const page = remedyPageOf(argument);
  if (page === null) return;
  const uri = Uri.joinPath(context.extensionUri, 'docs', 'remedies', `${page}.md`);
  try {
    await commands.executeCommand('markdown.showPreview', uri);
  } catch {
    await window.showTextDocument(uri); // The built-in extension that shows Markdown can be switched off.
  }
}

/** One of our pages; null for anything else that a link may name. */
export function remedyPageOf(argument: unknown): RemedyPage | null {
  if (typeof argument !== 'object' || argument === null || !('page' in argument)) return null;
  return remedyPages.find((page) => page === argument.page) ?? null;
}
