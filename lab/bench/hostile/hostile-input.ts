import { appendFileSync, closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** An input that nobody records, and that somebody may make. */
export interface HostileInput {
  readonly name: string;
  /** Writes the input below `folder`, and gives the path for `analyze`. */
  readonly write: (folder: string) => string;
}

/** Writes a file piece by piece, because some files are larger than a string can be. */
export function writePieces(file: string, pieces: Iterable<string>): string {
  const handle = openSync(file, 'w');
  let waiting = '';
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length < 1 << 20) continue;
    writeSync(handle, waiting);
    waiting = '';
  }
  writeSync(handle, waiting);
  closeSync(handle);
  return file;
}

export function* times<Value>(count: number, make: (number: number) => Value): Generator<Value, void> {
  for (let number = 0; number < count; number++) yield make(number);
}

/** Pieces with a comma between two of them. */
export function* list(pieces: Iterable<string>): Generator<string, void> {
  let before = '';
  for (const piece of pieces) {
    yield before;
    yield piece;
    before = ',';
  }
}

/** The functions of these profiles are own code here. */
export const root = path.join(os.tmpdir(), 'hotspan-hostile-project');

export interface NodeText {
  readonly id: number;
  readonly name?: string;
  readonly url?: string;
  readonly line?: number;
  /** What comes after the call frame, with a comma in front. */
  readonly more?: string;
}

export function nodeText({ id, name = 'f', url = `file://${root}/a.js`, line = 0, more = '' }: NodeText): string {
  return `{"id":${id},"callFrame":{"functionName":"${name}","scriptId":"1","url":"${url}","lineNumber":${line},"columnNumber":0}${more}}`;
}

/** A profile with one sample each ms. `samples` are ids of nodes. */
export function* profileText(
  nodes: Iterable<string>,
  count: number,
  sample: (number: number) => number,
): Generator<string, void> {
  yield '{"nodes":[';
  yield* list(nodes);
  yield `],"startTime":1000000,"endTime":${1_000_000 + count * 1000},"samples":[`;
  yield* list(times(count, (number) => String(sample(number))));
  yield '],"timeDeltas":[';
  yield* list(times(count, () => '1000'));
  yield ']}';
}

/** `(root)` with a function below it that is at work for 3 s. */
export function plainProfile(url = `file://${root}/a.js`): Iterable<string> {
  const nodes = [
    nodeText({ id: 1, name: '(root)', url: '', line: -1, more: ',"children":[2]' }),
    nodeText({ id: 2, url }),
  ];
  return profileText(nodes, 3000, () => 2);
}

/** Name of the first isolate of each recording. */
const isolate = '7-0-a';

/**
 * A recording of one process, with further files: their texts by the end of their names, which follows the isolate's
 * name.
 */
export function writeRecording(
  folder: string,
  files: Readonly<Record<string, Iterable<string>>>,
  profile: Iterable<string> = plainProfile(),
): string {
  const manifest = { version: 2, command: ['node', 'a.js'], cwd: root, startedAt: '2026-01-01T00:00:00.000Z' };
  writeFileSync(path.join(folder, 'recording.json'), JSON.stringify(manifest));
  const start = { type: 'start', isolate, pid: 7, threadId: 0, argv: ['node', `${root}/a.js`], at: 1e6 };
  writeFileSync(path.join(folder, 'events.jsonl'), `${JSON.stringify(start)}\n`);
  writePieces(path.join(folder, `${isolate}.0.cpuprofile`), profile);
  for (const [name, pieces] of Object.entries(files)) {
    const file = path.join(folder, name.startsWith('.') ? `${isolate}${name}` : name);
    if (name !== 'events.jsonl') writePieces(file, pieces);
    else for (const piece of pieces) appendFileSync(file, piece);
  }
  return folder;
}

/** Writes each value as a line of JSON. */
export function* jsonLines(count: number, make: (number: number) => unknown): Generator<string, void> {
  for (let number = 0; number < count; number++) yield `${JSON.stringify(make(number))}\n`;
}
