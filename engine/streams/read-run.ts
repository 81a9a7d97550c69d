import type { FunctionTable } from '../functions/function-table.ts';
import type { SampleStream } from '../samples/sample-stream.ts';

/** What is known of a run once its files are read and its functions have names. */
export interface ReadRun {
  /** Absolute paths of the workspace folders that decided what own code is. */
  readonly roots: readonly string[];
  readonly functions: FunctionTable;
  readonly streams: readonly SampleStream[];
}
