import v8 from 'node:v8';
import { keepCompiledCode } from './compile-cache.ts';

// This has to run before the command itself is compiled.
keepCompiledCode(process);
// A command ends before V8's slowest compiler pays (a seventh to a quarter of the processor time), and on most recordings
// before most of what the one in the middle, Maglev, compiles does (another tenth). Loops over samples do not wait for
// that many calls. Maglev is there from Node 24 on.
const { variables } = process.config;
const hasMaglev = 'v8_enable_maglev' in variables && variables.v8_enable_maglev === 1;
if (hasMaglev) v8.setFlagsFromString('--no-opt --invocation-count-for-maglev=4000');
void import('./main.ts');
// What is read stays until the end, so a young generation that grows with it (up to 64 MB) spares no collection, and is an
// eighth to a fifth of all memory. With what loading the command takes (4 MB), collections cost no more.
if (hasMaglev) setImmediate(() => v8.setFlagsFromString('--semi-space-growth-factor=1'));
