import { groupBy } from '../engine/basics/lists.ts';
import { programName } from '../engine/cut/event-loop/program-loops.ts';
import type { Isolate, SampleStream } from '../engine/read/samples/sample-stream.ts';

type Streams = readonly Pick<SampleStream, 'isolate' | 'tests'>[];

/** A thread by what it ran. */
interface ThreadName {
  /** The test files `cart.test.ts, order.test.ts +3`, else the script `server.js`; null where neither is known. */
  readonly ran: string | null;
  /** Tells the thread from all others of the recording: `cart.test.ts`, `worker 2 of server.js`, `vitest (process 8)`. */
  readonly name: string;
}

/** A cache, not state: names follow from the streams, and go when these do. */
const namesOfStreams = new WeakMap<Streams, readonly ThreadName[]>();

/** The threads of a recording, in the order of the streams. */
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

/** The name of one of these threads. */
export function threadName(streams: Streams, stream: number): string {
  return threadNames(streams)[stream]?.name ?? '';
}

/** The files whose tests ran in a thread, in the order of their first tests. */
function testFiles(tests: SampleStream['tests']): ReadonlySet<string> {
  const files = new Set<string>();
  for (const test of tests?.running ?? []) if (test !== null && test.file !== '') files.add(test.file);
  for (const file of tests?.untold ?? []) if (file !== '') files.add(file);
  return files;
}

/** Most files that are named. */
const mostFiles = 2;

/** The test files of a thread; null where it ran none. */
function filesText(files: readonly string[]): string | null {
  const more = files.length > mostFiles ? ` +${files.length - mostFiles}` : '';
  return files.length === 0 ? null : `${files.slice(0, mostFiles).join(', ')}${more}`;
}

/** `inProcess`: what the main thread of its process ran. */
function nameOf(isolate: Isolate, ran: string | null, hasTests: boolean, inProcess: string | null): ThreadName {
  if (isolate.isTestParent) return { ran: programName(isolate), name: "the test runner's own process" };
  if (hasTests && ran !== null) return { ran, name: ran };
  if (!isWorker(isolate)) return { ran, name: ran ?? processOf(isolate) };
  return { ran, name: `worker ${isolate.threadId} of ${inProcess ?? ran ?? processOf(isolate)}` };
}

/** A name that several threads have, with the process, and of a worker with its number. */
function withThread(name: string, isolate: Isolate): string {
  const process = processOf(isolate);
  if (name === process) return name;
  const isNumbered = isWorker(isolate) && !name.startsWith('worker ');
  return `${name} (${isNumbered ? `worker ${isolate.threadId} of ` : ''}${process})`;
}

export function processOf({ pid, path }: Isolate): string {
  return pid === null ? path : `process ${pid}`;
}

export function isWorker({ threadId }: Pick<Isolate, 'threadId'>): boolean {
  return threadId !== null && threadId > 0;
}

/** Gives the end of each path that no other path has: the file's name, with as many folders as tell it from others. */
function shortPaths(paths: readonly string[]): (path: string) => string {
  const all = [...new Set(paths)].map((path) => ({ path, words: path.split(/[/\\]/) }));
  const short = new Map<string, string>();
  for (let count = 1; short.size < all.length; count += 1) {
    const left = all.filter(({ path }) => !short.has(path));
    const ends = groupBy(left, ({ words }) => words.slice(-count).join('/'));
    const isTold = ([, same]: readonly [string, readonly (typeof all)[number][]]): boolean =>
      same.length === 1 || same.some(({ words }) => words.length <= count);
    for (const [end, same] of [...ends].filter(isTold)) for (const { path } of same) short.set(path, end);
  }
  return (path) => short.get(path) ?? path;
}
