import type { ExtensionContext } from 'vscode';
import type { Flamegraph } from '../flamegraph/flamegraph.ts';
import type { Runs } from '../run/runs.ts';
import type { Services } from '../results/services.ts';

/** What a command may use; the arguments that VS Code gives it are from anywhere, hence `unknown`. */
export interface CommandHost {
  readonly context: ExtensionContext;
  readonly services: Services;
  readonly runs: Runs;
  readonly flamegraph: Flamegraph;
}
