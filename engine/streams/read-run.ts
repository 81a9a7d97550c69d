import type { FunctionTable } from '../functions/function-table.ts';
import type { SampleStream } from '../samples/sample-stream.ts';

/** What is known of a run once its files are read and its functions have their names. */
export interface ReadRun {
  /** Absolute paths of the workspace folders that decided what is own code. */
  readonly roots: readonly string[];
  readonly functions: FunctionTable;
  readonly streams: readonly SampleStream[];
}
