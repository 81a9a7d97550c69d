import { isRecord, listOf, numberOf, parseJson, textOf, type Fields } from '../../../protocol/json-value.ts';
import { UnpackedTooMuch } from '../files/opened-file.ts';
import { readCpuProfile } from './cpu-profile-importer.ts';
import type { Importer } from './importer.ts';

/** Reads profiles of the form that Chrome wrote until 2016, and v8-profiler-next writes by default: a tree in `head`. */
export const headFormImporter: Importer = {
  recognizes: ({ start }) => headForm.test(new TextDecoder().decode(start.subarray(0, 1 << 14))),
  read: async ({ name, content, isGzip }, reading) => {
    const decoder = new TextDecoder();
    const pieces: string[] = [];
    let length = 0;
    try {
      for await (const piece of content) {
        if (reading.signal?.aborted === true) return { type: 'cancelled' };
        const text = decoder.decode(piece, { stream: true });
        length += text.length;
        if (length > MAX_LENGTH) throw new UnpackedTooMuch();
        pieces.push(text);
      }
    } catch (error) {
      if (!isGzip && !(error instanceof UnpackedTooMuch)) throw error;
      const damage = !(error instanceof UnpackedTooMuch) ? 'badGzip' : length > MAX_LENGTH ? 'longForm' : 'inflated';
      return { type: 'unusable', warning: { type: 'profileDamaged', file: name, damage } };
    }
    const profile = parseJson(pieces.join(''));
    if (!isRecord(profile))
      return { type: 'unusable', warning: { type: 'profileDamaged', file: name, damage: 'cutOff' } };
    const bytes = new TextEncoder().encode(JSON.stringify(fromHeadForm(profile)));
    return readCpuProfile({ name, content: only(bytes), isGzip: false }, reading);
  },
};

const headForm = /^\uFEFF?\s*\{\s*("typeId"\s*:\s*"CPU"|"head"\s*:\s*\{\s*"functionName")/;

/** In UTF-16 units. The form cannot be read piece by piece. */
const MAX_LENGTH = 256 << 20;

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/**
 * The same profile in the present form. In the old one a node has its children, and its place and lines count from 1;
 * `timestamps` are in µs, one for each sample, `startTime` and `endTime` in s. Those of v8-profiler are whole seconds,
 * so where there are timestamps, the last sample lasts as long as the mean.
 */
export function fromHeadForm({ head, samples, timestamps, startTime, endTime }: Fields): Fields {
  const times = listOf(timestamps).map((time) => numberOf(time, Number.NaN));
  const [first, last] = [times[0], times.at(-1)];
  const nodes = isRecord(head) ? nodesBelow(head) : [];
  if (first === undefined || last === undefined)
    return { nodes, samples, startTime: numberOf(startTime, 0) * 1e6, endTime: numberOf(endTime, 0) * 1e6 };
  return {
    ...{ nodes, samples, startTime: first },
    endTime: Math.round(last + (last - first) / Math.max(1, times.length - 1)),
    timeDeltas: times.map((time, index) => time - (times[index - 1] ?? first)),
  };
}

/** All nodes, parents first. Without recursion: a tree may be deep. */
function nodesBelow(head: Fields): readonly Fields[] {
  const nodes: Fields[] = [];
  const open = [{ node: head, parent: Number.NaN }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent } = next;
    const { id, functionName, url, lineNumber, columnNumber, lineTicks } = node;
    const ticks = listOf(lineTicks).filter(isRecord);
    const positionOf = (given: unknown): number => (textOf(url) === '' ? -1 : numberOf(given, 0) - 1);
    nodes.push({
      ...{ id, ...(Number.isNaN(parent) ? {} : { parent }) },
      callFrame: { functionName, url, lineNumber: positionOf(lineNumber), columnNumber: positionOf(columnNumber) },
      positionTicks: ticks.map(({ line, hitCount }) => ({ line, ticks: hitCount })),
    });
    for (const child of listOf(node['children']).filter(isRecord))
      open.push({ node: child, parent: numberOf(id, Number.NaN) });
  }
  return nodes;
}
