export interface BinarySearch {
  /** The variable PATH. */
  readonly list: string;
  /** A folder that is passed over: ours. */
  readonly without: string;
  readonly platform: NodeJS.Platform;
  readonly isFile: (file: string) => boolean;
}

/** The file that `node` (or a path to one) starts, absolute; null where it is no Node binary, by its name, or cannot be told. */
export function nodeBinary(name: string, search: BinarySearch): string | null {
  return /(^|[\\/])node(js)?(\.exe)?$/i.test(name) ? programFile(name, search) : null;
}

/** The file that a name or path starts, absolute; null where it cannot be told. */
export function programFile(name: string, { list, without, platform, isFile }: BinarySearch): string | null {
  const isWindows = platform === 'win32';
  const absolute = isWindows ? /^([a-z]:)?[\\/]/i : /^\//;
  if (absolute.test(name)) return name;
  if (/[\\/]/.test(name)) return null;
  const file = isWindows && !/\.exe$/i.test(name) ? `${name}.exe` : name;
  const folders = list.split(isWindows ? ';' : ':').filter((folder) => absolute.test(folder) && folder !== without);
  return folders.map((folder) => `${folder}${isWindows ? '\\' : '/'}${file}`).find((one) => isFile(one)) ?? null;
}

/** Whether a Node of this version, as `node --version` prints it, writes V8's log in the form that is needed. */
export function takesTierFlags(version: string): boolean {
  return /^v(1[89]|[2-9]\d)\./.test(version);
}
