/** The task's command line: `node cli.cjs record --out FOLDER … -- COMMAND`. */
export interface RecordRun {
  /** Absolute path of the bundled CLI. */
  readonly cli: string;
  readonly recording: string;
  /** In µs. */
  readonly intervalUs: number;
  /** In MB; 0: no limit. */
  readonly maxSize: number;
  /** Null: a process that runs already. */
  readonly command: readonly string[] | null;
  /** Of that process's inspector. */
  readonly address?: string;
  /** What the person should know of this run: the terminal says it first. */
  readonly notes: readonly string[];
}

export function recordArguments({
  cli,
  recording,
  intervalUs,
  maxSize,
  command,
  address,
  notes,
}: RecordRun): readonly string[] {
  const said = notes.map((note) => `--note=${note}`);
  const what = command === null ? ['--attach', address ?? ''] : ['--', ...command];
  const limits = ['--interval', String(intervalUs), '--max-size', String(maxSize)];
  return [cli, 'record', '--quiet', '--out', recording, ...limits, ...said, ...what];
}

/** The recording that a task with these arguments writes; null for another's. */
export function recordingOf(args: readonly string[]): string | null {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const at = own.indexOf('--out');
  return at === -1 ? null : (own[at + 1] ?? null);
}
