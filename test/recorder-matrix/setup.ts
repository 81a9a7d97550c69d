/** A way to run JavaScript under Node, and what a recording of it must hold. */
export interface Setup {
  readonly name: string;
  readonly project: Project;
  /** `node` is the binary to be tried, the first on the PATH too. */
  readonly command: (node: string) => readonly string[];
  /** Major versions of Node that it allows. */
  readonly nodes: readonly number[];
  readonly expected: readonly ExpectedFunction[];
  /** Names of functions among them that cannot be recorded; `note` says why. */
  readonly lost?: readonly string[];
  readonly note?: string;
}

/** Installed once for all set-ups that name it. */
export interface Project {
  readonly name: string;
  /** From npm, with their ranges. */
  readonly packages: Readonly<Record<string, string>>;
  /** By path. */
  readonly files: Readonly<Record<string, string>>;
  /** Words for `yarn`, where that installs the packages. */
  readonly yarn?: readonly string[];
}

/** A function that is busy for some time in each run. */
export interface ExpectedFunction {
  readonly name: string;
  /** How its file's path ends. */
  readonly file: string;
  /** Of its declaration in the source, 1-based. */
  readonly line: number;
}
