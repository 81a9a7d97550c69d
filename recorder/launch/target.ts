import path from 'node:path';

/** One thing that can be recorded: what the quick pick lists, and what `record` runs. */
export interface Target {
  /** Stable from run to run and between machines: what is remembered per package. */
  readonly id: string;
  readonly kind: 'tests' | 'fileTests' | 'script' | 'file' | 'app' | 'process';
  /** Null: a script whose runner is not known. */
  readonly runner: Runner | null;
  /** `npm test`, `vitest`, `Tests of parse.ts`. */
  readonly label: string;
  /** Where, and with what: `packages/api · mocha`. May be empty. */
  readonly description: string;
  /** Absolute: the package's folder, and the command's working folder. */
  readonly folder: string;
  /** The command. For a process that runs already: `attach`, and its inspector's address. */
  readonly command: readonly string[];
  /** Variables that are set on top of the person's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Sentences for the terminal's first lines and the recording: what was changed, and why. */
  readonly notes: readonly string[];
  /** Runs the other packages' tests (turbo, nx, lerna …): offered last. */
  readonly isOrchestrator: boolean;
}

export type Runner = 'node:test' | 'mocha' | 'jest' | 'vitest';

/** An empty answer says what to do next, in one sentence. */
export type TargetsFound =
  | { readonly type: 'found'; readonly targets: readonly Target[] }
  | { readonly type: 'none'; readonly message: string };

/** `isForeign`: its tests are run by something that is not Node.js, so that Node.js would not run the file either. */
export type TargetFound =
  | { readonly type: 'found'; readonly target: Target }
  | { readonly type: 'none'; readonly message: string; readonly isForeign: boolean };

/** With `/` everywhere: ids are the same on every system. */
export function relativeFolder(folder: string, workspace: string): string {
  const relative = path.relative(workspace, folder).split(path.sep).join('/');
  return relative === '' ? '.' : relative;
}

/** A process that runs already, by its inspector's address; the folder is where its sources are looked for. */
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
