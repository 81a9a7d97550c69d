import { groupBy } from '../../basics/group-by.ts';
import type { CpuProfile } from '../../samples/cpu-profile.ts';
import { gunzip } from '../../files/gunzip.ts';
import type { PlainReader } from '../cpuprofile/plain-reader.ts';
import { readCpuProfile } from '../cpuprofile/read-cpu-profile.ts';
import type { OpenedFile } from '../../files/opened-file.ts';
import { type TraceProfiles, profilesInTrace } from './trace-profiles.ts';

/** What a trace has of one thread. */
export interface LoadedThread {
  readonly pid: number;
  /** Number of the thread: 0 for the main thread, or for the only one. */
  readonly threadId: number;
  readonly profile: CpuProfile;
}

export interface LoadedTrace {
  /** Threads that were sampled; none where the trace has no CPU profile, or is damaged before the first one. */
  readonly threads: readonly LoadedThread[];
  /** True where the trace is complete. */
  readonly isWhole: boolean;
  /** True where one of its profiles is over a budget, and left out. */
  readonly isTooMuch: boolean;
}

export async function loadTrace(
  file: OpenedFile,
  plain: PlainReader | null,
  signal?: AbortSignal,
): Promise<LoadedTrace> {
  const chunks = file.isGzip ? gunzip(file.chunks) : file.chunks;
  // This rejects where one profile is longer than the longest string.
  const nothing: TraceProfiles = { profiles: [], isWhole: false };
  const { profiles: found, isWhole } = await profilesInTrace(chunks, signal).catch(() => nothing);
  /** The thread that is named as the main thread, by process. */
  const mains = new Map(
    [...groupBy(found, ({ pid }) => pid)].map(([pid, own]) => {
      const main = own.find(({ tid }) => tid === pid) ?? own[0];
      return [pid, main?.tid] as const;
    }),
  );
  const threads: LoadedThread[] = [];
  let isTooMuch = false;
  for (const { pid, tid, json } of found) {
    const decoded = await readCpuProfile([new TextEncoder().encode(json)], signal, plain);
    isTooMuch ||= decoded.type === 'damaged' && (decoded.damage === 'tooMany' || decoded.damage === 'tooLong');
    if (decoded.type === 'profile') {
      threads.push({ pid, threadId: tid === mains.get(pid) ? 0 : tid, profile: decoded.profile });
    }
  }
  return { threads, isWhole, isTooMuch };
}
