import { after } from 'node:test';
import type { DoneRecheck } from '../../protocol/rechecks.ts';
import { type FunctionReference, showChangeRequest } from '../../protocol/requests.ts';
import { type LanguageClient, startLanguageClient } from './language-client.ts';
import { recordShop, type ShopRecording } from './shop-recording.ts';

/** The shop with a language server that has it open. Both end with the tests of the file. */
export async function openShop(): Promise<{ readonly shop: ShopRecording; readonly client: LanguageClient }> {
  const shop = await recordShop();
  const client = await startLanguageClient(shop.folder);
  after(async () => {
    await client.close();
    await shop.remove();
  });
  return { shop, client };
}

/** Has a client show a re-check from its beginning to its end. */
export async function showRecheck({ ask }: LanguageClient, of: FunctionReference, change: DoneRecheck): Promise<void> {
  await ask(showChangeRequest, { ...of, change: { type: 'began', text: 're-checking' } });
  await ask(showChangeRequest, { ...of, change });
}

/** What a re-check says of a function that became faster. */
export function rechecked(text: string, facts: Partial<DoneRecheck> = {}): DoneRecheck {
  return { type: 'done', text, isFaster: true, isFixed: false, isKept: false, diff: null, at: 0, ...facts };
}
