/** Which isolate and part a profile belongs to, by its file's name. Source: protocol/recording.ts. */
export type ProfileName =
  | {
      readonly type: 'part';
      readonly isolate: string;
      readonly pid: number;
      readonly threadId: number;
      readonly part: number;
    }
  /** Written by Node's own `--cpu-prof`. */
  | { readonly type: 'node'; readonly pid: number; readonly threadId: number }
  | { readonly type: 'foreign' };

export function profileNameOf(file: string): ProfileName {
  const part = /^((\d+)-(\d+)-[0-9a-z]+)\.(\d+)\.cpuprofile(\.gz)?$/.exec(file);
  if (part !== null) {
    const [, isolate = '', pid, threadId, number] = part;
    return { type: 'part', isolate, pid: Number(pid), threadId: Number(threadId), part: Number(number) };
  }
  const node = /^CPU\.\d+\.\d+\.(\d+)\.(\d+)\.\d+\.cpuprofile(\.gz)?$/.exec(file);
  return node === null ? { type: 'foreign' } : { type: 'node', pid: Number(node[1]), threadId: Number(node[2]) };
}

export function isProfileName(file: string): boolean {
  return /\.cpuprofile(\.gz)?$/.test(file);
}

/** What follows the last separator of a path. */
export function fileNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
