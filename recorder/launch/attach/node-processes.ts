import { execFile } from 'node:child_process';

export interface NodeProcess {
  readonly pid: number;
  /** The command with its arguments. */
  readonly command: string;
  /** Port of its inspector according to its command line; null where that names none. */
  readonly port: number | null;
}

/** Node processes of this user but our own and the editor's; none on Windows, where nothing lists them cheaply. */
export async function listNodeProcesses(): Promise<readonly NodeProcess[]> {
  if (process.platform === 'win32') return [];
  return nodeProcessesIn(await ps(['-U', String(process.getuid?.() ?? 0), '-o', 'pid=,args=']));
}

/** From the output of `ps -o pid=,args=`. */
export function nodeProcessesIn(text: string): readonly NodeProcess[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    const [program = ''] = command.split(' ');
    if (pid === undefined || !/(^|\/)node(js)?$/.test(program) || editor.test(command) || Number(pid) === process.pid)
      return [];
    return [{ pid: Number(pid), command, port: portOf(command) }];
  });
}

/** The command line of a process, where it is Node; null for any other, and where there is none. */
export async function isNode(pid: number): Promise<string | null> {
  const [found] = nodeProcessesIn(await ps(['-p', String(pid), '-o', 'pid=,args=']));
  return found?.command ?? null;
}

/** VS Code's own, its language servers, and what Hotspan itself runs. */
const editor =
  /\bvscode-server\b|\bcode-server\b|--type=\w+|\bextensions\/|[/\\]dist[/\\](cli|server)\.cjs\b|bootstrap-fork/;

function portOf(command: string): number | null {
  const option = /\s--inspect(?:-brk|-wait)?(?:=(?:[^\s:]+:)?(\d+))?(?=\s|$)/.exec(command);
  return option === null ? null : Number(option[1] ?? 9229);
}

async function ps(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('ps', args, { timeout: 5000, maxBuffer: 1e7 }, (_, stdout) => resolve(stdout));
  });
}
