import { groupBy } from '../basics/group-by.ts';
import type { IsolateSource, Sources } from './isolate-source.ts';
import { type ProfileName, fileNameOf, profileNameOf } from './profile-names.ts';

/**
 * Profiles of one folder that no recording tells anything of. A thread beside its process's main thread is told by its
 * frames; rotated parts are one isolate here too. `isNamed`: the person gave these very paths.
 */
export function plainProfiles(paths: readonly string[], isNamed: boolean): Sources {
  const named = paths.map((path) => ({ path, name: profileNameOf(fileNameOf(path)) }));
  const mainPids = new Set(
    named.flatMap(({ name }) => (name.type !== 'foreign' && name.threadId === 0 ? [name.pid] : [])),
  );
  const byIsolate = groupBy(named, ({ path, name }) => (name.type === 'part' ? name.isolate : path));
  const isolates = [...byIsolate.values()].map((parts): IsolateSource => {
    const profiles = parts.toSorted((a, b) => partOf(a.name) - partOf(b.name)).map(({ path }) => path);
    const name = parts[0]?.name ?? { type: 'foreign' };
    const isBeside = name.type !== 'foreign' && name.threadId !== 0 && mainPids.has(name.pid);
    return {
      profiles,
      isNamed,
      isRecorded: false,
      turnsFile: null,
      waitsFile: null,
      testsFile: null,
      requestsFile: null,
      textsFile: null,
      pid: name.type === 'foreign' ? null : name.pid,
      threadId: name.type === 'foreign' ? null : name.threadId,
      threadKind: isBeside ? null : 'main',
      nodeVersion: null,
      command: null,
      isTestParent: false,
      ended: 'unknown',
      isComplete: false,
      isByClock: false,
      interval: null,
    };
  });
  const recording = { command: null, cwd: null, startedAt: null };
  return { isolates, mapFiles: [], recording, evaluated: false, warnings: [], losses: [] };
}

function partOf(name: ProfileName): number {
  return name.type === 'part' ? name.part : 0;
}
