import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether a server answers at this address, with whatever status. */
export async function answers(url: URL): Promise<boolean> {
  const get = url.protocol === 'https:' ? httpsGet : httpGet;
  return new Promise((resolve) => {
    const options = { timeout: patience, agent: false, rejectUnauthorized: false };
    const request = get(url, options, (response) => {
      response.destroy();
      resolve(true);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}

/** Waits for the first answer; false where there is none in `limit` ms, or the server has ended. */
export async function waitUntilReady(url: URL, isOver: AbortSignal, limit: number): Promise<boolean> {
  const since = performance.now();
  while (!isOver.aborted && performance.now() - since < limit) {
    if (await answers(url)) return !isOver.aborted;
    await delay(50);
  }
  return false;
}

/** Waits until nothing answers any more; false after `limit` ms. */
export async function waitUntilGone(url: URL, limit: number): Promise<boolean> {
  const since = performance.now();
  while (performance.now() - since < limit) {
    if (!(await answers(url))) return true;
    await delay(50);
  }
  return false;
}

/** Of one answer. In ms. */
const patience = 2000;
