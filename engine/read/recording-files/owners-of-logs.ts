import { clockMarker } from '../../../protocol/recording.ts';
import type { ListedFile, World } from '../files/world.ts';
import { openFile } from '../files/opened-file.ts';
import { isLogName } from './profile-names.ts';
import { type RecordingEvents, isolateAt } from '../sidecars/recording-events.ts';

/** The isolate to which a V8 log belongs. */
export interface LogOwner {
  readonly isolate: string;
  readonly pid: number;
  readonly threadId: number;
}

/**
 * The owners of a recording's V8 logs, by file name. The first marker that the recorder wrote into a log tells its owner.
 * Logs without a marker belong to processes and threads that are not counted (package managers, Node's thread of loader
 * hooks).
 */
export async function ownersOfLogs(
  folder: string,
  files: readonly ListedFile[],
  events: RecordingEvents,
  world: World,
): Promise<ReadonlyMap<string, LogOwner>> {
  const owners = new Map<string, LogOwner>();
  for (const { name } of files) {
    const marker = isLogName(name) ? await firstMarker(`${folder}/${name}`, world) : null;
    if (marker !== null) {
      const { pid, threadId } = marker;
      owners.set(name, { pid, threadId, isolate: isolateAt(events, marker) ?? name });
    }
  }
  return owners;
}

interface FirstMarker {
  readonly pid: number;
  readonly threadId: number;
  /** Time of the marker in µs. */
  readonly clock: number;
}

async function firstMarker(path: string, world: World): Promise<FirstMarker | null> {
  const file = await openFile(path, world);
  const decoder = new TextDecoder('latin1');
  let before = '';
  for await (const chunk of file?.chunks ?? []) {
    const at = Math.max(0, Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).indexOf(clockMarker));
    // The marker may begin in one chunk and end in the next.
    const near = before + decoder.decode(chunk.subarray(at, at + longestMarker));
    const [, pid, threadId, clock] = markerPattern.exec(near) ?? [];
    if (pid !== undefined) {
      await file?.close();
      return { pid: Number(pid), threadId: Number(threadId), clock: Number(clock) / 1000 };
    }
    before = decoder.decode(chunk.subarray(-longestMarker));
  }
  return null;
}

/** The length of the longest marker, in bytes. */
const longestMarker = 128;

const markerPattern = new RegExp(`${clockMarker}(\\d+):(\\d+):(\\d+):`);
