import v8 from 'node:v8';
import { keepCompiledCode } from './compile-cache.ts';

// This has to run before the command itself is compiled.
keepCompiledCode(process);
// A command is over before what V8's slowest compiler makes pays: a seventh to a quarter less processor time without it.
// Maglev, the compiler in the middle, has to be there instead: from Node 24 on.
const { variables } = process.config;
if ('v8_enable_maglev' in variables && variables.v8_enable_maglev === 1) v8.setFlagsFromString('--no-opt');
void import('./main.ts');
