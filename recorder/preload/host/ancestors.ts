import { isMainThread } from 'node:worker_threads';
import { recordingDirVariable } from '../../../protocol/recording.ts';
import { attempt, host } from './host.ts';

/**
 * Takes our variables from the nearest process above that was started with them. turbo hands on NODE_OPTIONS, and else only
 * the variables that its file names. Linux alone tells what a process was started with.
 */
export function inheritVariables(env: NodeJS.ProcessEnv): void {
  const isCut = env[recordingDirVariable] === undefined && /[\\/]recorder-\w+\.cjs/.test(env['NODE_OPTIONS'] ?? '');
  if (!isCut || !isMainThread || process.platform !== 'linux') return;
  attempt(() => {
    for (const [name, value] of variablesAbove(process.ppid)) Reflect.set(env, name, value);
  });
}

/** Throws where no process above has them, or one may not be looked at. */
function variablesAbove(pid: number): readonly (readonly [name: string, value: string])[] {
  const pairs = host.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const ours = pairs.filter((pair) => pair.startsWith('HOTSPAN_'));
  if (ours.some((pair) => pair.startsWith(`${recordingDirVariable}=`)))
    return ours.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  // Behind the name, which may hold anything: its state, and the process above.
  const [, , above] = host.readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)?.split(' ') ?? [];
  return variablesAbove(Number(above));
}
