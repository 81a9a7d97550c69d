import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Does some work beside this number of processes that never rest. They end with the work, and also when this process
 * ends in any way; if it is killed, they end by themselves. Each is a session of its own: to Linux, a session is one user
 * of the processor (autogroups), and what runs in another would hardly notice many spinners of one.
 */
export async function beside<Result>(spinners: number, work: () => Promise<Result>): Promise<Result> {
  const children = Array.from({ length: spinners }, () =>
    spawn(process.execPath, ['-e', spinning], { stdio: ['ignore', 'pipe', 'ignore'], detached: true }),
  );
  const end = (): void => {
    for (const child of children) child.kill('SIGKILL');
  };
  process.once('exit', end);
  try {
    await Promise.all(children.map(async ({ stdout }) => once(stdout, 'data')));
    return await work();
  } finally {
    end();
    process.off('exit', end);
  }
}

const spinning = `
  const { ppid } = process;
  console.log('spins');
  setTimeout(() => {
    while (process.ppid === ppid) for (let step = 0; step < 1e8; step++);
    process.exit();
  });
`;
