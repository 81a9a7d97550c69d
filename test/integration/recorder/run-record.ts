// `hotspan record` without the rest of the CLI: OUT HOME KIND COMMAND…; the outcome is the last line of stderr.
import { writeSync } from 'node:fs';
import { record } from '../../../recorder/launch/run/record.ts';
import { microseconds } from '../../../protocol/units.ts';
import { projectFile } from '../../helpers/project.ts';

const [out = '', recorderHome = '', kind, ...command] = process.argv.slice(2);
const outcome = await record({
  command,
  kind: kind === 'tiers' ? 'tiers' : 'profile',
  cwd: process.cwd(),
  env: process.env,
  intervalUs: microseconds(1000),
  mostBytes: null,
  out,
  recorderFile: projectFile('dist/recorder.cjs'),
  recorderHomes: [{ folder: recorderHome, isShared: process.getuid?.() === 0 }],
  hotspanVersion: '0.0.0',
  notes: [],
});
writeSync(2, `\n${JSON.stringify(outcome)}`);
process.exit(0);
