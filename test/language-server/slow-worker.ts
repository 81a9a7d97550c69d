import { setTimeout as wait } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { PortMessageReader, PortMessageWriter, createMessageConnection } from 'vscode-jsonrpc/node';

/** In place of the thread that reads a recording: says that it has begun, and takes as many ms as the recording's name says. */
if (parentPort !== null) {
  const connection = createMessageConnection(new PortMessageReader(parentPort), new PortMessageWriter(parentPort));
  connection.onRequest('open', async ({ recording }: { readonly recording: string }) => {
    await connection.sendNotification('progress');
    await wait(Number(recording));
    return { answer: { type: 'opened', summary: { recording } }, marked: [] };
  });
  connection.listen();
}
