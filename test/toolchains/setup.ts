/** One way in which a tool runs a person's code, and what a recording of it must show. */
export interface Setup {
  readonly name: string;
  readonly project: Project;
  /** The package whose version is told; the table names no other. */
  readonly tool: string;
  /** Commands that are run before, and not recorded. The first word `node` is the Node that all is run on. */
  readonly prepare?: readonly (readonly string[])[];
  readonly command: readonly string[];
  readonly blocks: readonly Block[];
  /** What `hotspan analyze` must print, where not all can be recorded. */
  readonly says?: RegExp;
}

/** A folder with packages in it, installed once for all set-ups that name it. */
export interface Project {
  readonly name: string;
  /** From npm, with their versions. */
  readonly packages: Readonly<Record<string, string>>;
  /** Texts by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Version of Yarn, where that installs the packages. */
  readonly yarn?: string;
  /** The packages' own scripts have to be run, too. */
  readonly hasScripts?: boolean;
}

/** A function that holds the event loop for a time that it measures itself, on the line with `// HOT` and its name. */
export interface Block {
  readonly name: string;
  /** By path in the project. */
  readonly file: string;
  /** What can be said of it at best, where it is not its line: a verdict. */
  readonly best?: 'function' | 'elsewhere' | 'not own' | 'nothing';
}
