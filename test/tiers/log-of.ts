import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/** Runs a program under `--prof`, and answers with the largest log that it left, that of its main thread. `place` is emptied. */
export function logOf(
  { node, flags, command, cwd }: { node: string; flags: readonly string[]; command: readonly string[]; cwd: string },
  place: string,
): string {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true }); // Without the folder, V8 writes its log to stdout.
  const logging = ['--prof', '--no-node-snapshot', '--no-log-source-code', `--logfile=${place}/%p-%t.v8.log`];
  const { error } = spawnSync(node, [...logging, ...flags, ...command], { cwd, stdio: 'ignore', timeout: 180_000 });
  if (error !== undefined) throw error;
  const logs = readdirSync(place).map((file) => path.join(place, file));
  const [largest] = logs.toSorted((a, b) => statSync(b).size - statSync(a).size);
  if (largest === undefined) throw new Error(`${command.join(' ')} left no log`);
  return largest;
}
