import type { CpuProfile } from '../profile/cpu-profile.ts';
import { gunzip } from '../profile/gunzip.ts';
import { readCpuProfile } from '../profile/read-cpu-profile.ts';
import type { OpenedFile } from './opened-file.ts';
import { profilesInTrace } from './trace-profiles.ts';

/** What a trace holds of one thread. */
export interface LoadedThread {
  readonly pid: number;
  /** 0 for the main thread, or for the one that is there. */
  readonly threadId: number;
  readonly profile: CpuProfile;
}

/** The threads of a trace that were sampled; none where it holds no CPU profile, or is damaged before the first one. */
export async function loadTrace(file: OpenedFile, signal?: AbortSignal): Promise<readonly LoadedThread[]> {
  const found = await profilesInTrace(file.isGzip ? gunzip(file.chunks) : file.chunks, signal).catch(() => []);
  const threads: LoadedThread[] = [];
  for (const { pid, tid, json } of found) {
    const decoded = await readCpuProfile([new TextEncoder().encode(json)], signal);
    const ofProcess = found.filter((one) => one.pid === pid);
    const main = ofProcess.find((one) => one.tid === pid) ?? ofProcess[0];
    if (decoded.type === 'profile') {
      threads.push({ pid, threadId: tid === main?.tid ? 0 : tid, profile: decoded.profile });
    }
  }
  return threads;
}
