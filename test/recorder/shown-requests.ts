import { filledIn } from '../../recorder/launch/load/placeholders.ts';
import type { ReadRequests } from '../../recorder/launch/load/read-requests.ts';

/** What is sent, left out and noted, a line each; the sentence of what cannot be read. */
export function shown(read: ReadRequests): unknown {
  if (read.type === 'failed') return read.message;
  const { requests, leftOut, notes } = read;
  const sent = requests.map(filledIn).map(({ name, method, url, headers, body }) => {
    const parts = Object.entries(headers).map(([header, value]) => `${header}=${value}`);
    return [...(name === null ? [] : [`${name}:`]), method, url, ...parts, ...(body === null ? [] : [body])].join(' ');
  });
  return { sent: sent.map(withoutChance), leftOut: leftOut.map(({ title, reason }) => `${title} ${reason}`), notes };
}

/** The text with what is new at each sending replaced by its kind. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'DATE')
    .replaceAll(/=\d{10}\b/g, '=N')
    .replace(/(?<=DATE )[a-z]{3} [\da-f]{4}$/i, 'AAA HHHH');
}
