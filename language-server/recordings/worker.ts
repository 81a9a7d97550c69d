import { parentPort } from 'node:worker_threads';
import { PortMessageReader, PortMessageWriter, createMessageConnection } from 'vscode-jsonrpc/node';
import { answerQuestions } from './answer-questions.ts';

/** The thread that reads one recording and then answers questions about it, until it is ended from outside. */
if (parentPort !== null) {
  const connection = createMessageConnection(new PortMessageReader(parentPort), new PortMessageWriter(parentPort));
  answerQuestions(connection);
  connection.listen();
}
