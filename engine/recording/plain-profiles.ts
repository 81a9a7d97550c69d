import type { IsolateSource, Sources } from './isolate-source.ts';
import { fileNameOf, profileNameOf } from './profile-names.ts';

/**
 * Profiles of one folder that no recording tells anything of. A thread beside its process's main thread is told by its
 * frames. `isNamed`: the person gave these very paths.
 */
export function plainProfiles(paths: readonly string[], isNamed: boolean): Sources {
  const names = paths.map((path) => ({ path, name: profileNameOf(fileNameOf(path)) }));
  const mainPids = new Set(
    names.flatMap(({ name }) => (name.type !== 'foreign' && name.threadId === 0 ? [name.pid] : [])),
  );
  const isolates = names.map(({ path, name }): IsolateSource => {
    const isBeside = name.type !== 'foreign' && name.threadId !== 0 && mainPids.has(name.pid);
    return {
      profiles: [path],
      isNamed,
      isRecorded: false,
      turnsFile: null,
      pid: name.type === 'foreign' ? null : name.pid,
      threadId: name.type === 'foreign' ? null : name.threadId,
      threadKind: isBeside ? null : 'main',
      nodeVersion: null,
      isTestParent: false,
      ended: 'unknown',
      isComplete: false,
      interval: null,
    };
  });
  const recording = { command: null, cwd: null, startedAt: null };
  return { isolates, mapFiles: [], recording, evaluated: false, warnings: [], losses: [] };
}
