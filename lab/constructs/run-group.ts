import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { analyze } from '../../engine/analyze.ts';
import { describeFailure } from '../../words/failures.ts';
import { isRecord, numberOf, parseJson } from '../../protocol/json-value.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { milliseconds } from '../../protocol/units.ts';
import type { NodeVersion } from '../../test/helpers/node-versions.ts';
import { projectFile } from '../../test/helpers/project.ts';
import type { HotLine } from '../../engine/judge/lines/hot-lines.ts';

export interface GroupRun {
  /** For how long each construct held the loop, in µs: the longer of its two runs. */
  readonly truth: ReadonlyMap<string, number>;
  /** What `hotspan analyze --json` has as `lines` and `imports`, with reasons. */
  readonly lines: readonly MarkedLine[];
}

export type MarkedLine = Pick<HotLine, 'url' | 'line' | 'worst' | 'precision' | 'reason'>;

/** Records a group in a project of all fixtures, and reads the recording. Throws what the program wrote when it fails. */
export async function runGroup(folder: string, group: string, { version, node }: NodeVersion): Promise<GroupRun> {
  const recording = path.join(folder, 'out', `${group}-${version}`);
  const truthFile = `${recording}.json`;
  const record = [projectFile('dist/cli.cjs'), 'record', '--quiet', '--out', recording, '--'];
  const program = [node, '--no-warnings', 'node_modules/driver/main.js', group, truthFile];
  await promisify(execFile)(process.execPath, [...record, ...program], { cwd: folder, timeout: 120_000 });
  const options = { thresholdUs: milliseconds(10), roots: [folder], sourceMaps: true };
  const result = await analyze([recording], diskWorld, options);
  if (result.type !== 'analyzed') throw new Error(describeFailure(result.failure));
  const { lines, importLines } = result.analysis;
  const imports = importLines.map(({ us, ...line }) => ({ ...line, worst: us, reason: null }));
  return { truth: truthIn(truthFile), lines: [...lines, ...imports] };
}

function truthIn(file: string): ReadonlyMap<string, number> {
  const truth = parseJson(readFileSync(file, 'utf8'));
  return new Map(Object.entries(isRecord(truth) ? truth : {}).map(([name, us]) => [name, numberOf(us, 0)]));
}
