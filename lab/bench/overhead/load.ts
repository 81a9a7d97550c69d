import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { Variant } from './variants.ts';

export interface Served {
  /** CPU time of the server for each request, in ms. */
  readonly cpu: number;
  readonly perSecond: number;
  /** Resident, in MB. */
  readonly memory: number;
}

/**
 * Starts one server for each variant and warms all of them up. Then ten connections ask each server in turn for a small
 * batch, again and again, so that whatever else the machine does falls on all alike. A round is a batch of each, by the
 * variant's name. The order changes from round to round: of two equal servers, the one that was always asked after the
 * same neighbour answered only 0.85 × as many requests in the worst case (measured).
 */
export async function serveInTurn(
  node: string,
  file: string,
  variants: readonly Variant[],
  rounds: number,
): Promise<readonly ReadonlyMap<string, Served>[]> {
  const servers = await Promise.all(variants.map((variant) => start(node, file, variant)));
  for (const server of servers) await ask(server, warmUp);
  const served: ReadonlyMap<string, Served>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const found = new Map<string, Served>();
    for (const server of shuffled(servers)) found.set(server.name, await measure(server));
    served.push(found);
  }
  for (const { process } of servers) {
    process.send('end');
    await once(process, 'exit');
  }
  return served;
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

const warmUp = 15000;
const batch = 400;
const connections = 10;

interface Server {
  readonly name: string;
  readonly process: ChildProcess;
  readonly port: number;
  readonly agent: http.Agent;
}

async function start(node: string, file: string, { name, options, env }: Variant): Promise<Server> {
  const process = fork(file, [], { execPath: node, execArgv: [...options], env });
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  return { name, process, port: await answerOf(process), agent };
}

async function measure(server: Server): Promise<Served> {
  const before = await askFor(server, 'cpu');
  const start = performance.now();
  await ask(server, batch);
  const time = performance.now() - start;
  const cpu = (await askFor(server, 'cpu')) - before;
  return { cpu: cpu / batch, perSecond: (batch / time) * 1000, memory: await askFor(server, 'memory') };
}

async function answerOf(server: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    server.once('message', (answer) => resolve(Number(answer)));
  });
}

async function askFor({ process }: Server, what: 'cpu' | 'memory'): Promise<number> {
  process.send(what);
  return answerOf(process);
}

async function ask({ port, agent }: Server, times: number): Promise<void> {
  const one = async (): Promise<void> => {
    await new Promise<void>((resolve, reject) => {
      http.get({ port, agent }, (response) => response.resume().on('end', resolve)).on('error', reject);
    });
  };
  const connection = async (): Promise<void> => {
    for (let request = 0; request < times / connections; request += 1) await one();
  };
  await Promise.all(Array.from({ length: connections }, connection));
}
