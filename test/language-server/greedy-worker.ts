import { parentPort } from 'node:worker_threads';
import { PortMessageReader, PortMessageWriter, createMessageConnection } from 'vscode-jsonrpc/node';
import { methods } from '../../language-server/recordings/analysis-process.ts';

/** Stands in for the analysis worker: what it is to read needs all memory, of V8 or of the system. */
if (parentPort !== null) {
  const connection = createMessageConnection(new PortMessageReader(parentPort), new PortMessageWriter(parentPort));
  connection.onRequest(methods.open, ({ recording }: { readonly recording: string }) => {
    if (recording === '/arrays') return new Uint8Array(2 ** 52);
    const kept: unknown[] = [];
    for (;;) kept.push({ number: kept.length });
  });
  connection.listen();
}
