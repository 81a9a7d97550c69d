/** The task's command line: `node cli.cjs record --out FOLDER … -- COMMAND`. */
export interface RecordRun {
  /** Absolute path of the bundled CLI. */
  readonly cli: string;
  readonly recording: string;
  /** A process that runs already can only be profiled. */
  readonly kind: 'profile' | 'tiers';
  /** Time between two samples, in µs. */
  readonly intervalUs: number;
  /** Limit of the recording, in MB; 0: no limit. */
  readonly maxSize: number;
  /** Null for a process that runs already. */
  readonly command: readonly string[] | null;
  /** Address of that process's inspector. */
  readonly address?: string;
  /** What the person should know about this run. The terminal shows it first. */
  readonly notes: readonly string[];
}

export function recordArguments({
  cli,
  recording,
  kind,
  intervalUs,
  maxSize,
  command,
  address,
  notes,
}: RecordRun): readonly string[] {
  const said = notes.map((note) => `--note=${note}`);
  const what = command === null ? ['--attach', address ?? ''] : ['--', ...command];
  const limits = ['--interval', String(intervalUs), '--max-size', String(maxSize)];
  const tiers = kind === 'tiers' && command !== null ? ['--tiers'] : [];
  return [cli, 'record', '--quiet', '--announce', '--out', recording, ...tiers, ...limits, ...said, ...what];
}

/** The recording that a task with these arguments writes; null for a task that is not ours. */
export function recordingOf(args: readonly string[]): string | null {
  const own = ownWords(args);
  const at = own.indexOf('--out');
  return at === -1 ? null : (own[at + 1] ?? null);
}

/** Whether these arguments record V8's tiers. */
export function isOfTiers(args: readonly string[]): boolean {
  return ownWords(args).includes('--tiers');
}

/** The command that these arguments run; null for a process that runs already. */
export function commandOf(args: readonly string[]): readonly string[] | null {
  const end = args.indexOf('--');
  return end === -1 || end === args.length - 1 ? null : args.slice(end + 1);
}

/** The arguments before the command. */
function ownWords(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}
