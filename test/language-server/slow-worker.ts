import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { PortMessageReader, PortMessageWriter, createMessageConnection } from 'vscode-jsonrpc/node';

/** In place of the thread that reads a recording: says that it has begun, and takes as many ms, and as many bytes, as the recording's name says. It ends when it is asked for a verdict. */
if (parentPort !== null) {
  const connection = createMessageConnection(new PortMessageReader(parentPort), new PortMessageWriter(parentPort));
  const state = { isAhead: false };
  connection.onRequest('readAhead', () => {
    state.isAhead = true;
    return null;
  });
  connection.onRequest('open', async ({ recording }: { readonly recording: string }) => {
    await connection.sendNotification('progress');
    const [first = '', bytes = '1'] = path.basename(recording).split(' ');
    await wait(Number(first.replaceAll(/\D/g, '')));
    return {
      type: 'opened',
      summary: { recording, more: [], title: state.isAhead ? 'read ahead' : '' },
      marked: [],
      bytes: Number(bytes),
    };
  });
  connection.onRequest('waits', () => []);
  connection.onRequest('verdict', () => process.exit());
  connection.listen();
}
