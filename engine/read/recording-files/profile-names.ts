import { v8LogSuffix } from '../../../protocol/recording.ts';

/** What the name of a profile's file shows: writer, process, and for a part the isolate (protocol/recording.ts). */
export type ProfileName =
  | {
      readonly type: 'part';
      readonly isolate: string;
      readonly pid: number;
      readonly threadId: number;
      readonly part: number;
    }
  /** By Node's `--cpu-prof`, or Bun. `startedAt`: a time of day, such as `20260131.235959`; Deno has none. */
  | { readonly type: 'node'; readonly pid: number; readonly threadId: number; readonly startedAt: string | null }
  /** A V8 log with the name that `node --prof` gives it. It may belong to any thread of that process. */
  | { readonly type: 'log'; readonly pid: number; readonly threadId: null }
  | { readonly type: 'foreign' };

export function profileNameOf(file: string): ProfileName {
  const part = /^((\d+)-(\d+)-[0-9a-z]+)\.(\d+)\.cpuprofile(\.gz)?$/.exec(file);
  if (part !== null) {
    const [, isolate = '', pid, threadId, number] = part;
    return { type: 'part', isolate, pid: Number(pid), threadId: Number(threadId), part: Number(number) };
  }
  const node = /^CPU\.(\d{8}\.\d{6})\.(\d+)\.(\d+)\.\d+\.cpuprofile(\.gz)?$/.exec(file);
  if (node !== null) {
    const [, startedAt = '', pid, threadId] = node;
    return { type: 'node', pid: Number(pid), threadId: Number(threadId), startedAt };
  }
  // Of Deno: `CPU.<ms since the epoch>.<pid>.cpuprofile`, of a main thread.
  const deno = /^CPU\.\d{13}\.(\d+)\.cpuprofile(?:\.gz)?$/.exec(file)?.[1];
  if (deno !== undefined) return { type: 'node', pid: Number(deno), threadId: 0, startedAt: null };
  // `isolate-0x…-PID-v8.log`, and with `%p` in the given name `isolate-0x…-PID-PID-….v8.log`.
  const pid = isLogName(file) ? /^isolate-?0x[0-9a-f]+-(\d+)-/.exec(file)?.[1] : undefined;
  return pid === undefined ? { type: 'foreign' } : { type: 'log', pid: Number(pid), threadId: null };
}

/** Whether a name is that of a CPU profile, or of a V8 log of the recorder or of `node --prof`. */
export function isProfileName(file: string): boolean {
  return /\.cpuprofile(\.gz)?$/.test(file) || isLogName(file);
}

export function isLogName(file: string): boolean {
  return file.replace(/\.gz$/, '').endsWith(v8LogSuffix) || /^(isolate-?0x[\w-]+-)?v8\.log(\.gz)?$/.test(file);
}
