import { groupBy } from '../engine/basics/lists.ts';
import { programName } from '../engine/cut/event-loop/program-loops.ts';
import type { Isolate, SampleStream } from '../engine/read/samples/sample-stream.ts';

type Streams = readonly Pick<SampleStream, 'isolate' | 'tests'>[];

interface ThreadName {
  /** The test files `cart.test.ts, order.test.ts +3`, else the script `server.js`; null if unknown. */
  readonly ran: string | null;
  /** Unique in the recording: `cart.test.ts`, `worker 2 of server.js`, `vitest (process 8)`. */
  readonly name: string;
}

/** A cache, not state. */
const namesOfStreams = new WeakMap<Streams, readonly ThreadName[]>();

/** In the order of the streams. */
export function threadNames(streams: Streams): readonly ThreadName[] {
  const known = namesOfStreams.get(streams);
  if (known !== undefined) return known;
  const files = streams.map(({ tests }) => [...testFiles(tests)]);
  const shortOf = shortPaths(files.flat());
  const ranIn = streams.map(
    ({ isolate }, index) => filesText((files[index] ?? []).map(shortOf)) ?? programName(isolate),
  );
  const ranInProcess = new Map(
    streams.flatMap(({ isolate }, index) => (isWorker(isolate) ? [] : [[isolate.pid, ranIn[index] ?? null] as const])),
  );
  const named = streams.map(({ isolate }, index) => {
    const hasTests = (files[index] ?? []).length > 0;
    return nameOf(isolate, ranIn[index] ?? null, hasTests, ranInProcess.get(isolate.pid) ?? null);
  });
  const sharing = groupBy(named, ({ name }) => name);
  const made = named.map(({ ran, name }, index) => {
    const isolate = streams[index]?.isolate;
    const isShared = (sharing.get(name)?.length ?? 0) > 1 && isolate !== undefined;
    return { ran, name: isShared ? withThread(name, isolate) : name };
  });
  namesOfStreams.set(streams, made);
  return made;
}

export function threadName(streams: Streams, stream: number): string {
  return threadNames(streams)[stream]?.name ?? '';
}

/** Files whose tests ran in a thread, in the order of their first tests. */
function testFiles(tests: SampleStream['tests']): ReadonlySet<string> {
  const files = new Set<string>();
  for (const test of tests?.running ?? []) if (test !== null && test.file !== '') files.add(test.file);
  for (const file of tests?.untold ?? []) if (file !== '') files.add(file);
  return files;
}

const MAX_FILES = 2;

function filesText(files: readonly string[]): string | null {
  const more = files.length > MAX_FILES ? ` +${files.length - MAX_FILES}` : '';
  return files.length === 0 ? null : `${files.slice(0, MAX_FILES).join(', ')}${more}`;
}

/** `inProcess`: what the main thread of its process ran. */
function nameOf(isolate: Isolate, ran: string | null, hasTests: boolean, inProcess: string | null): ThreadName {
  if (isolate.isTestParent) return { ran: programName(isolate), name: "the test runner's own process" };
  if (hasTests && ran !== null) return { ran, name: ran };
  if (!isWorker(isolate)) return { ran, name: ran ?? processOf(isolate) };
  const worker = isolate.threadId === null ? 'worker' : `worker ${isolate.threadId}`;
  return { ran, name: `${worker} of ${inProcess ?? ran ?? processOf(isolate)}` };
}

/** Makes a shared name unique, by the process and the number of a worker. */
function withThread(name: string, isolate: Isolate): string {
  const process = processOf(isolate);
  if (name === process) return name;
  const isNumbered = isWorker(isolate) && !name.startsWith('worker ');
  return `${name} (${isNumbered ? `worker ${isolate.threadId} of ` : ''}${process})`;
}

export function processOf({ pid, path }: Isolate): string {
  return pid === null ? path : `process ${pid}`;
}

/** V8 numbers no threads in its logs. */
export function isWorker({ threadId, threadKind }: Pick<Isolate, 'threadId' | 'threadKind'>): boolean {
  return threadId === null ? threadKind !== 'main' : threadId > 0;
}

/** The file's name, with as many folders as make it unique among the paths. */
function shortPaths(paths: readonly string[]): (path: string) => string {
  const all = [...new Set(paths)].map((path) => ({ path, words: path.split(/[/\\]/) }));
  const short = new Map<string, string>();
  for (let count = 1; short.size < all.length; count += 1) {
    const left = all.filter(({ path }) => !short.has(path));
    const ends = groupBy(left, ({ words }) => words.slice(-count).join('/'));
    const isUnique = ([, same]: readonly [string, readonly (typeof all)[number][]]): boolean =>
      same.length === 1 || same.some(({ words }) => words.length <= count);
    for (const [end, same] of [...ends].filter(isUnique)) for (const { path } of same) short.set(path, end);
  }
  return (path) => short.get(path) ?? path;
}
