import path from 'node:path';

/** One thing that can be recorded: what the quick pick lists, and what `record` runs. */
export interface Target {
  /** The same in every run and on every machine: the editor remembers targets by it. */
  readonly id: string;
  readonly kind: 'tests' | 'fileTests' | 'script' | 'file' | 'app' | 'process';
  /** Null where the runner is not known, or there is none. */
  readonly runner: Runner | null;
  /** `npm test`, `vitest`, `Tests of parse.ts`. */
  readonly label: string;
  /** The folder and the runner: `packages/api · mocha`. May be empty. */
  readonly description: string;
  /** Absolute path of the package's folder, in which the command runs. */
  readonly folder: string;
  /** The command; for a process that runs already, `attach` and the address of its inspector. */
  readonly command: readonly string[];
  /** The text of the script that the command runs, with that of its `pre` script; absent where it runs none. */
  readonly script?: string;
  /** Variables that are added to the person's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Sentences for the first lines of the terminal, and for the recording: what was changed in the command, and why. */
  readonly notes: readonly string[];
  /** The target runs the tests of other packages (turbo, nx, lerna …): it is offered last. */
  readonly isOrchestrator: boolean;
}

export type Runner = 'node:test' | 'mocha' | 'jest' | 'vitest';

/** Where nothing was found, one sentence says what to do next. */
export type TargetsFound =
  | { readonly type: 'found'; readonly targets: readonly Target[] }
  | { readonly type: 'none'; readonly message: string };

/**
 * `isForeign`: something else than Node.js runs the tests of the file, so Node.js could not run the file itself either.
 */
export type TargetFound =
  | { readonly type: 'found'; readonly target: Target }
  | { readonly type: 'none'; readonly message: string; readonly isForeign: boolean };

/**
 * The path from the workspace to a folder or a file, with `/` on every system because it is part of ids; `.` for the
 * workspace itself.
 */
export function relativeFolder(folder: string, workspace: string): string {
  const relative = path.relative(workspace, folder).split(path.sep).join('/');
  return relative === '' ? '.' : relative;
}

/**
 * The target for a process that runs already, by the address of its inspector. Its sources are looked for in `folder`.
 */
export function attachTarget(address: string, name: string, folder: string, notes: readonly string[]): Target {
  return {
    id: `attach:${name}`,
    kind: 'process',
    runner: null,
    label: name,
    description: address,
    folder,
    command: ['attach', address],
    env: {},
    notes,
    isOrchestrator: false,
  };
}
