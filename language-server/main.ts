import path from 'node:path';
import { ProposedFeatures, createConnection } from 'vscode-languageserver/node';
import { startServer } from './server.ts';

startServer(createConnection(ProposedFeatures.all), path.join(__dirname, 'analysis-worker.cjs'));
