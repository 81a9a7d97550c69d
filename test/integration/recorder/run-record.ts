// `hotspan record` without the rest of the CLI: OUT HOME KIND COMMAND…; the outcome is the last line of stderr.
import { writeSync } from 'node:fs';
import nodeModule from 'node:module';
import { microseconds } from '../../../protocol/units.ts';
import { projectFile } from '../../helpers/project.ts';

// Most of this process' time goes to compiling what it imports. Unlike NODE_COMPILE_CACHE the program does not inherit it.
const enable = 'enableCompileCache' in nodeModule ? nodeModule.enableCompileCache : undefined; // Not in the types of Node 20.
if (typeof enable === 'function') Reflect.apply(enable, undefined, [projectFile('.cache/compiled')]);
const { record } = await import('../../../recorder/launch/run/record.ts');

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
