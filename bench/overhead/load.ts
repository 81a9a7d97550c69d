import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { Variant } from './variants.ts';

export interface Served {
  /** Of the server, in ms, for each request. */
  readonly cpu: number;
  readonly perSecond: number;
}

/** Ten connections ask a server for the same, first to warm it up. */
export async function serve(node: string, file: string, { options, env }: Variant): Promise<Served> {
  const server = fork(file, [], { execPath: node, execArgv: [...options], env });
  const port = await answerOf(server);
  await ask(port, warmUp);
  const before = await cpuOf(server);
  const start = performance.now();
  await ask(port, amount);
  const time = performance.now() - start;
  const cpu = (await cpuOf(server)) - before;
  server.send('end');
  await once(server, 'exit');
  return { cpu: cpu / amount, perSecond: (amount / time) * 1000 };
}

const warmUp = 1500;
const amount = 4000;
const connections = 10;

async function answerOf(server: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    server.once('message', (answer) => resolve(Number(answer)));
  });
}

async function cpuOf(server: ChildProcess): Promise<number> {
  server.send('cpu');
  return answerOf(server);
}

async function ask(port: number, times: number): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const one = async (): Promise<void> => {
    await new Promise<void>((resolve, reject) => {
      http.get({ port, agent }, (response) => response.resume().on('end', resolve)).on('error', reject);
    });
  };
  const connection = async (): Promise<void> => {
    for (let request = 0; request < times / connections; request += 1) await one();
  };
  await Promise.all(Array.from({ length: connections }, connection));
  agent.destroy();
}
