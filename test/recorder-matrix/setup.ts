/** A way to run JavaScript under Node, and what a recording of it must hold. */
export interface Setup {
  readonly name: string;
  readonly project: Project;
  /** `node` is the binary to be tried, the first on the PATH too, `major` its version. */
  readonly command: (node: string, major: number) => readonly string[];
  /** Major versions of Node that it allows. */
  readonly nodes: readonly number[];
  readonly expected: readonly ExpectedFunction[];
  readonly notes?: readonly Note[];
}

/** Why a row is not like the others: what is not explained by one is wrong. */
export interface Note {
  /** Major versions of Node; without them, all. */
  readonly nodes?: readonly number[];
  /** Names of expected functions that cannot be recorded. */
  readonly lost?: readonly string[];
  /** The exit of the run as it is, where that fails without the recorder too. */
  readonly bareExit?: string;
  /** Words that the recording itself must say of it. */
  readonly said?: RegExp;
  readonly why: string;
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
  /** Line of its declaration in the source, from 1. */
  readonly line: number;
}
