/** What is said of a run of tests in which none was seen. */
export function emptyRunMessage({ name, file, exitCode }: EmptyRun): string {
  if (exitCode !== 0) return `No test was seen to run (${name}). The terminal says why.`;
  return file === null
    ? `No test was seen to run (${name}). Profile a file or another npm script instead.`
    : `No test was seen to run (${name}): its name may be made only while tests run. Profile the whole file instead.`;
}

/** A run of tests in which none was seen. */
export interface EmptyRun {
  /** Of the task. */
  readonly name: string;
  /** Absolute path of the test's file, where one test was to run; null: more than one. */
  readonly file: string | null;
  /** Undefined where nobody told. */
  readonly exitCode: number | undefined;
}
