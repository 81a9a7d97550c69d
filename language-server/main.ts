import path from 'node:path';
import v8 from 'node:v8';
import { ProposedFeatures, createConnection } from 'vscode-languageserver/node';
import { startServer } from './server.ts';

// The first recording is what a person waits for, and most of its code runs once: compiling it later (V8's default is 400
// calls) takes a sixth off. Loops do not wait for that, and the next recordings take as long as before.
const { variables } = process.config;
if ('v8_enable_maglev' in variables && variables.v8_enable_maglev === 1)
  v8.setFlagsFromString('--invocation-count-for-maglev=4000');

startServer(createConnection(ProposedFeatures.all), path.join(__dirname, 'analysis-worker.cjs'));
