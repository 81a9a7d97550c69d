import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stopFile } from '../../protocol/recording.ts';
import { type AttachedParts, type AttachedProcess, attachedParts } from './attached-parts.ts';
import { evaluate, type Inspector } from './inspector.ts';

export interface PartsOptions {
  readonly directory: string;
  /** What all parts may have together; null: no limit. */
  readonly mostBytes: number | null;
  readonly isStopped: AbortSignal;
  /** How long a part is, which the process holds in its memory; in ms, else one minute. */
  readonly partMs?: number;
}

type Sender = Pick<Inspector, 'send'>;

/**
 * Writes the running profiles of a process and its workers, part by part, until somebody stops it, the process ends, or
 * the limit is reached. `notes` are sentences for the person about the two last.
 */
export async function writeParts(
  inspector: Inspector,
  workers: ReadonlyMap<string, Sender>,
  process: AttachedProcess,
  { directory, mostBytes, isStopped, partMs = 60_000 }: PartsOptions,
): Promise<{ readonly notes: readonly string[]; readonly isRecorded: boolean }> {
  const main = attachedParts(inspector.send, 0, process, directory);
  const others = new Map<string, AttachedParts>();
  const state = { bytes: 0 };
  for (;;) {
    const goesOn = !(await isOverIn(partMs, inspector.isOver, isStopped, directory));
    for (const [id, { send }] of workers) {
      const parts = others.get(id) ?? attachedParts(send, await threadOf(send, id), process, directory);
      others.set(id, parts);
      state.bytes += (await parts.write(goesOn)) ?? 0;
    }
    const written = await main.write(goesOn);
    state.bytes += written ?? 0;
    const isFull = mostBytes !== null && state.bytes >= mostBytes;
    if (goesOn && written !== null && !isFull) continue;
    for (const parts of [main, ...others.values()]) await parts.end();
    const isRecorded = state.bytes > 0;
    if (written === null && isRecorded) return { notes: [endedNote(process, partMs)], isRecorded };
    return { notes: isFull && goesOn ? [fullNote(mostBytes)] : [], isRecorded };
  }
}

function endedNote({ pid }: AttachedProcess, partMs: number): string {
  return `Process ${pid} ended: what it did in its last ${Math.ceil(partMs / 1000)} s may be missing.`;
}

function fullNote(mostBytes: number): string {
  return `The recording reached its limit of ${mostBytes / 1e6} MB and was stopped, the process goes on: record a shorter time, or raise --max-size.`;
}

/** Of a worker; its number in the inspector where it does not say. */
async function threadOf(send: Inspector['send'], id: string): Promise<number> {
  const known = await evaluate(send, 'require("node:worker_threads").threadId');
  return typeof known === 'number' ? known : Number(id);
}

/** Waits `limit` ms: false. Sooner true where the process has ended, the person stops, or somebody makes the `stop` file. */
async function isOverIn(
  limit: number,
  isOver: AbortSignal,
  isStopped: AbortSignal,
  directory: string,
): Promise<boolean> {
  const since = performance.now();
  while (performance.now() - since < limit) {
    if (isOver.aborted || isStopped.aborted || existsSync(path.join(directory, stopFile))) return true;
    await delay(100);
  }
  return false;
}
