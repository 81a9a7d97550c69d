import { closeSync, openSync, writeSync, readFileSync } from 'node:fs';
import { isList, isRecord } from '../../../protocol/json-value.ts';

/** `depth` is that of the deepest stack, in calls, without V8's `(root)`. */
export interface Shape {
  readonly nodes: number;
  readonly samples: number;
  readonly depth: number;
}

/** The shape of a profile that `JSON.parse` can read, and whose nodes come after their parents, as V8 writes them. */
export function shapeOf(file: string): Shape {
  const profile: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const [nodes, samples] = ['nodes', 'samples'].map((key) =>
    isRecord(profile) && isList(profile[key]) ? profile[key] : [],
  );
  const depths = new Map<unknown, number>();
  let depth = 0;
  for (const node of nodes ?? []) {
    if (!isRecord(node)) continue;
    const own = depths.get(node['id']) ?? 0;
    depth = Math.max(depth, own);
    if (isList(node['children'])) for (const child of node['children']) depths.set(child, own + 1);
  }
  return { nodes: nodes?.length ?? 0, samples: samples?.length ?? 0, depth };
}

/**
 * Writes a made-up `.cpuprofile` of about `size` bytes as V8 does: its keys, its order, ids by depth first, line ticks at the
 * leaves. Half of it are nodes, half samples, 50 µs apart. All of its code are dependencies. The same size gives the
 * same file.
 */
export function writeProfile(file: string, size: number): Shape {
  const trees = Math.max(1, Math.round(size / 2 / (bytesPerNode * treeSize)));
  return writeTrees(file, { trees, samples: Math.round(size / 2 / bytesPerSample), hotSpots: 40, own: null });
}

/** The folder of the person's own code in a profile of `writeLargeTree`. */
export const ownFolder = '/home/user/project';

/** The same with about this many nodes, nearly all of them with a time; a third of the functions is the person's own. */
export function writeLargeTree(file: string, size: number): Shape {
  const trees = Math.max(1, Math.round(size / treeSize));
  return writeTrees(file, { trees, samples: size * 2, hotSpots: 400, own: (fn) => fn % 3 === 0 });
}

interface Made {
  readonly trees: number;
  readonly samples: number;
  /** Number of places in which a request has its samples. */
  readonly hotSpots: number;
  /** Which functions are the person's own; null: none. */
  readonly own: ((fn: number) => boolean) | null;
}

function writeTrees(file: string, { trees, samples, hotSpots, own }: Made): Shape {
  const output = openSync(file, 'w');
  const random = createRandom();
  write(output, nodes(trees, own));
  write(output, [`],"startTime":${startTime},"endTime":${startTime + samples * 51}`]);
  write(
    output,
    numbers('samples', samples, (index) => sampledNode(index, { trees, hotSpots }, random)),
  );
  write(
    output,
    numbers('timeDeltas', samples, () => 45 + Math.floor(random() * 12)),
  );
  write(output, ['}']);
  closeSync(output);
  return { nodes: firstTreeId - 1 + trees * treeSize, samples, depth };
}

const startTime = 1_000_000;
/** Size in the file of what is written below, as measured. */
const bytesPerNode = 240;
const bytesPerSample = 10;
/** Each tree is binary. This is its height in calls. */
const depth = 12;
const treeSize = 2 ** depth - 1;
const idleId = 2;
const firstTreeId = 3;
/** No two neighbours are of one function, because V8 would have made one node of them. */
const functionCount = 1500;

function* nodes(trees: number, own: Made['own']): Iterable<string> {
  const children = Array.from({ length: trees }, (_, tree) => firstTreeId + tree * treeSize);
  yield `{"nodes":[{"id":1,"callFrame":${callFrame('(root)', '', -1)},"hitCount":0,"children":[${[idleId, ...children].join(',')}]}`;
  yield `,{"id":${idleId},"callFrame":${callFrame('(idle)', '', -1)},"hitCount":1}`;
  for (let tree = 0; tree < trees; tree++)
    yield* subtree({ id: firstTreeId + tree * treeSize, height: depth, fn: tree }, own);
}

/** A node with everything below it, `height` calls in all. */
function* subtree({ id, height, fn }: Subtree, own: Made['own']): Iterable<string> {
  const number = fn % functionCount;
  const place = own?.(number) === true ? 'src' : `node_modules/package-${number % 40}/lib`;
  const url = `file://${ownFolder}/${place}/module-${number % 200}.js`;
  const head = `,{"id":${id},"callFrame":${callFrame(`function${number}`, url, number % 900)}`;
  if (height === 1) {
    yield `${head},"hitCount":3,"positionTicks":[{"line":${(number % 900) + 3},"ticks":2},{"line":${(number % 900) + 5},"ticks":1}]}`;
    return;
  }
  const second = id + 2 ** (height - 1);
  yield `${head},"hitCount":0,"children":[${id + 1},${second}]}`;
  yield* subtree({ id: id + 1, height: height - 1, fn: fn * 2 + 1 }, own);
  yield* subtree({ id: second, height: height - 1, fn: fn * 2 + 2 }, own);
}

interface Subtree {
  readonly id: number;
  readonly height: number;
  readonly fn: number;
}

function callFrame(name: string, url: string, line: number): string {
  return `{"functionName":"${name}","scriptId":"${url === '' ? 0 : 87}","url":"${url}","lineNumber":${line},"columnNumber":${line < 0 ? -1 : 14}}`;
}

/**
 * Each request of 20 ms has its samples in one tree, at some places. The next request is in another tree. In between
 * the loop waits.
 */
function sampledNode(
  index: number,
  { trees, hotSpots }: Pick<Made, 'trees' | 'hotSpots'>,
  random: () => number,
): number {
  const request = Math.floor(index / 400);
  if (index % 400 === 399) return idleId;
  const hotSpot = Math.floor(random() * random() * hotSpots);
  return firstTreeId + ((request * 7) % trees) * treeSize + ((request * 31 + hotSpot * 97) % treeSize);
}

function* numbers(key: string, count: number, numberAt: (index: number) => number): Iterable<string> {
  yield `,"${key}":[`;
  for (let index = 0; index < count; index++) yield index === 0 ? `${numberAt(index)}` : `,${numberAt(index)}`;
  yield ']';
}

function write(output: number, pieces: Iterable<string>): void {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < 2 ** 20) continue;
    writeSync(output, text);
    text = '';
  }
  writeSync(output, text);
}

/** Numbers from 0 to 1, the same in each run (a linear congruential generator). */
function createRandom(): () => number {
  let state = 12345;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
