import { after } from 'node:test';
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
