import { resultView } from '../../cli/views/result-view.ts';
import { analyze } from '../../engine/analyze.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { milliseconds } from '../../protocol/units.ts';
import { readSources } from '../../cli/views/shown-code.ts';
import { warningText } from '../../words/warnings/warning-text.ts';

/** What a recording says of a suite. */
export interface SuiteFindings {
  /** Processes and threads with samples. */
  readonly isolates: number;
  /** `36 ms worst View lib/view.js:81`: what `hotspan analyze` prints first. */
  readonly worst: string;
  /** What was lost, in sentences. */
  readonly warnings: readonly string[];
}

/** What is read of a recording of the project in `folder`. */
export async function readSuite(recording: string, folder: string): Promise<SuiteFindings> {
  const options = { thresholdUs: milliseconds(10), roots: [folder], sourceMaps: true };
  const result = await analyze([recording], diskWorld, options);
  if (result.type === 'failed') return { isolates: 0, worst: '', warnings: [JSON.stringify(result.failure)] };
  const { analysis } = result;
  const sources = await readSources([], async () => null, folder);
  const [first] = resultView(analysis, { all: false, sources }).hotspots;
  const [figures = ''] = first?.figures.split(' · ') ?? [];
  return {
    isolates: analysis.streams.length,
    worst: first === undefined ? 'none' : `${figures}: \`${first.label}\` ${first.place}`,
    warnings: analysis.warnings.map(warningText),
  };
}
