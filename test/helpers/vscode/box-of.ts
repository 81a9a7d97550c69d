import type { Locator } from 'playwright-core';
import { untilItWorks } from './until-it-works.ts';

/** Where an element is drawn. One that the page replaces at this moment, as it does after a resize, has no box yet. */
export async function boxOf(locator: Locator): Promise<NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>> {
  return untilItWorks(
    async (limit) => {
      await locator.waitFor({ timeout: limit });
      const box = await locator.boundingBox({ timeout: limit });
      if (box === null) throw new Error('It is not drawn.');
      return box;
    },
    `${String(locator)} is not drawn.`,
  );
}
