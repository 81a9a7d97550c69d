/** The task's command line: `node cli.cjs record --out FOLDER … -- COMMAND`. */
export interface RecordRun {
  /** Absolute path of the bundled CLI. */
  readonly cli: string;
  readonly recording: string;
  /** Of a process that runs already, always profiles. */
  readonly kind: 'profile' | 'tiers';
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
  return [cli, 'record', '--quiet', '--out', recording, ...tiers, ...limits, ...said, ...what];
}

/** The recording that a task with these arguments writes; null for another's. */
export function recordingOf(args: readonly string[]): string | null {
  const own = ownWords(args);
  const at = own.indexOf('--out');
  return at === -1 ? null : (own[at + 1] ?? null);
}

/** Whether it records V8's tiers. */
export function isOfTiers(args: readonly string[]): boolean {
  return ownWords(args).includes('--tiers');
}

/** What it runs; null: a process that runs already. */
export function commandOf(args: readonly string[]): readonly string[] | null {
  const end = args.indexOf('--');
  return end === -1 || end === args.length - 1 ? null : args.slice(end + 1);
}

/** In front of the command. */
function ownWords(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}
