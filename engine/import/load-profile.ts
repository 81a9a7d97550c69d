import type { CpuProfile, ProfileFrame } from '../samples/cpu-profile.ts';
import { describeDamage, describeDefects } from './cpuprofile/describe-damage.ts';
import type { PlainReader } from './cpuprofile/plain-reader.ts';
import { readCpuProfile } from './cpuprofile/read-cpu-profile.ts';
import type { World } from '../files/world.ts';
import { asOfV8 } from './as-of-v8.ts';
import { DebuggerNotes, type DebuggerPlaces, isOfDebugger } from './js-debug/debugger-notes.ts';
import { isTrace, isV8Log, kindOfFile } from '../files/file-kinds.ts';
import { type LoadedThread, loadTrace } from './chrome-trace/load-trace.ts';
import type { IsolateSource } from '../sources/isolate-source.ts';
import { loadV8Log } from './v8-log/load-v8-log.ts';
import { openFile } from '../files/opened-file.ts';
import { fileNameOf } from '../sources/profile-names.ts';

export type LoadedProfile =
  | {
      readonly type: 'profile';
      readonly profile: CpuProfile;
      readonly places: DebuggerPlaces;
      readonly warnings: readonly string[];
    }
  /** A trace, in which several threads were sampled. */
  | { readonly type: 'trace'; readonly threads: readonly LoadedThread[]; readonly warnings: readonly string[] }
  | { readonly type: 'cancelled' }
  | { readonly type: 'missing' | 'silent' | 'unusable'; readonly warning: string };

/** With what file after file is read. */
export interface Reading {
  readonly world: World;
  readonly plain: PlainReader | null;
  readonly signal: AbortSignal | undefined;
  /** Is told how many bytes of a file were read, piece by piece. */
  readonly onBytes: (count: number) => void;
  /** Urls that scripts of an isolate go by, whose file was edited after they ran. */
  readonly olderUrls:
    | ((source: IsolateSource, frames: readonly ProfileFrame[]) => Promise<ReadonlyMap<string, string>>)
    | undefined;
}

/** Reads one `.cpuprofile`, or a V8 log. `missing`: it cannot be read; `silent`: it has no samples. Warnings are whole sentences. */
export async function loadProfile(path: string, { world, plain, signal, onBytes }: Reading): Promise<LoadedProfile> {
  const name = fileNameOf(path);
  const file = await openFile(path, world, onBytes);
  if (file === undefined) {
    return { type: 'missing', warning: `${name} cannot be read: it may be somebody else's, or was deleted meanwhile.` };
  }
  if (isTrace(file.start)) {
    const { threads, isWhole, isTooMuch } = await loadTrace(file, plain, signal);
    if (signal?.aborted === true) return { type: 'cancelled' };
    if (threads.length === 0 && isTooMuch)
      return { type: 'unusable', warning: `${name} ${describeDamage('tooMany')}.` };
    if (threads.length === 0) return { type: 'unusable', warning: `${name} ${isWhole ? emptyTrace : cutTrace}.` };
    return { type: 'trace', threads, warnings: isWhole ? [] : [`${name} ${partOfTrace}.`] };
  }
  if (isV8Log(file.start)) {
    const log = await loadV8Log(file, name, world, signal);
    return log.type === 'profile' ? { ...log, places: new Map() } : log;
  }
  const kind = kindOfFile(name, file.start);
  if (kind !== null) {
    await file.close();
    return { type: 'unusable', warning: `${name} ${kind}.` };
  }
  const notes = isOfDebugger(file.start) ? new DebuggerNotes() : null;
  const decoded = await readCpuProfile(notes?.of(file.chunks) ?? file.chunks, signal, plain);
  if (decoded.type === 'cancelled') return decoded;
  if (decoded.type === 'damaged') {
    const warning = `${name} ${describeDamage(decoded.damage)}.`;
    return { type: decoded.damage === 'noSamples' ? 'silent' : 'unusable', warning };
  }
  return {
    type: 'profile',
    profile: asOfV8(decoded.profile),
    places: notes?.places() ?? new Map(),
    warnings: describeDefects(decoded.profile.defects).map((defect) => `${name} ${defect}.`),
  };
}

const cutTrace = 'is a trace that is cut off before its first JavaScript samples: copy it again or take it again';

const partOfTrace = 'is a trace that is cut off: what comes before is shown; copy it again or take it again';

const emptyTrace =
  'is a trace without JavaScript samples: take it in the Performance panel of Chrome, or record the program with "hotspan record"';
