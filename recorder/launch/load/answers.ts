import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether a server answers at this address, with any status. */
export async function answers(url: URL): Promise<boolean> {
  const get = url.protocol === 'https:' ? httpsGet : httpGet;
  return new Promise((resolve) => {
    const options = { timeout: MAX_ANSWER_MS, agent: false, rejectUnauthorized: false };
    const request = get(url, options, (response) => {
      response.destroy();
      resolve(true);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}

/** Waits until a server answers, or none does; false where that is not so within `limit` ms, or before `isOver`. */
export async function waitUntil(isAnswered: boolean, url: URL, limit: number, isOver?: AbortSignal): Promise<boolean> {
  const since = performance.now();
  const isAborted = (): boolean => isOver?.aborted === true;
  while (!isAborted() && performance.now() - since < limit) {
    if ((await answers(url)) === isAnswered) return !isAborted();
    await delay(50);
  }
  return false;
}

/** Limit for the wait for one answer. */
const MAX_ANSWER_MS = 2000;
