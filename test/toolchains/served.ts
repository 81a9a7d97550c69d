/** For a project whose command is a server: starts it, asks it, and ends it. Its file is `serve.mjs`. */
export const serveScript = `// node serve.mjs PORT PATHS -- WORDS OF NODE: each path is asked for twice.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const [port, paths, , ...words] = process.argv.slice(2);
const server = spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, PORT: port } });
const ended = new Promise((resolve) => server.once('exit', (code, signal) => resolve(signal ?? code)));
const isOpen = () => new Promise((resolve) => {
  const socket = connect({ port: Number(port), host: 'localhost' });
  socket.once('connect', () => { socket.destroy(); resolve(true); });
  socket.once('error', () => resolve(false));
});
let isEnded = false;
void ended.then(() => { isEnded = true; });
while (!isEnded && !(await isOpen())) await setTimeout(100);
for (const path of [...paths.split(','), ...paths.split(',')]) {
  if (isEnded) break;
  const { status } = await fetch(\`http://localhost:\${port}\${path}\`);
  console.log(path, status);
}
await setTimeout(100);
if (isEnded) process.exitCode = 1;
server.kill('SIGTERM');
await ended;
`;

/** The command that runs a server of Node under it. */
export function served(port: number, paths: readonly string[], words: readonly string[]): readonly string[] {
  return ['node', 'serve.mjs', String(port), paths.join(','), '--', ...words];
}
