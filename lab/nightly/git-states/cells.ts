import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { isGroupRunning, send } from '../../../recordings/run-processes.ts';
import { projectFile } from '../../../test/helpers/project.ts';
import { waitUntil } from '../../../test/helpers/wait-until.ts';
import type { State } from './states.ts';
import type { World } from './world.ts';

/** A command of Hotspan with the way in which it ends. */
export interface Cell {
  readonly name: string;
  readonly words: readonly string[];
  /** The signal that it gets, and what runs then; null for none. */
  readonly stop: { readonly signal: NodeJS.Signals; readonly in: 'run' | 'setup' } | null;
  /** Exit codes that are right; null after SIGKILL. */
  readonly codes: readonly (number | null)[];
}

/** What `prepare` scripts of an old commit do, and worse. */
const attacks = [
  'git config core.hooksPath .husky; git config --global core.hooksPath .husky',
  'hooks="$(git rev-parse --git-path hooks)"; mkdir -p "$hooks"; echo > "$hooks/pre-commit"',
  'git reset --hard --quiet; git worktree prune; git stash clear; git commit --allow-empty -qm x; git tag x',
  'git branch -f old HEAD; git checkout -q -B y; git gc --quiet --prune=now; git update-ref -d refs/heads/main',
  'echo hacked > node_modules/x/index.js; rm -rf node_modules/.bin; chmod -R u+rwX,go-rwx .; find . -exec touch {} +',
].join('; ');
/** Where it is to be stopped it notes its pid, and waits, whatever signal comes. */
const waiting = `[ "$WAITS" = setup ] && { trap '' TERM; echo $$ > "$MARK"; sleep 60; }`;
const preparing = (code: number): readonly string[] => [
  ...['--install', `${attacks}; ${waiting}; exit ${code}`],
  ...['--setup', `${attacks}; ${waiting}; exit ${code}`],
];

/** All cells of a state. */
export function cellsOf({ base = 'HEAD', isRefused = false }: State, budget: string): readonly Cell[] {
  const program = ['--', process.execPath, 'main.js'];
  const failing = ['--', 'sh', '-c', `"${process.execPath}" main.js; exit 7`];
  const pairs = [
    ['compare', '--base', base],
    // A threshold that nothing reaches ends it after three pairs.
    // Against another commit, as it runs nothing of unchanged code.
    ['recheck', 'slow', '--threshold', '10s', '--base', base === 'HEAD' ? 'old' : base],
  ];
  const both = pairs.flatMap((words): readonly Cell[] => {
    const cell = (name: string, stop: Cell['stop'], codes: Cell['codes'], code = 0): Cell => {
      const right = isRefused ? [2] : codes;
      return { name: `${words[0]}, ${name}`, words: [...words, ...preparing(code), ...program], stop, codes: right };
    };
    // Both are the same program: one is stopped while the base is prepared, the other in a run.
    const where = words[0] === 'compare' ? 'setup' : 'run';
    return [
      cell('a failing installation', null, [2], 9),
      cell(`SIGTERM (${where})`, { signal: 'SIGTERM', in: where }, [3]),
      cell(`SIGKILL (${where})`, { signal: 'SIGKILL', in: where }, [null]),
      cell('to its end', null, [0, 1, 3]),
    ];
  });
  const alone = [
    { words: ['baseline'], failed: 0 },
    { words: ['check', '--budget', budget], failed: 7 },
  ].flatMap(({ words, failed }): readonly Cell[] => {
    const [name] = words;
    return [
      { name: `${name}, a failing command`, words: [...words, ...failing], stop: null, codes: [failed] },
      ...(['SIGTERM', 'SIGKILL'] as const).map((signal): Cell => ({
        name: `${name}, ${signal} while it runs`,
        words: [...words, ...program],
        stop: { signal, in: 'run' },
        codes: [signal === 'SIGTERM' ? 3 : null],
      })),
      { name: `${name}, to its end`, words: [...words, ...program], stop: null, codes: [0] },
    ];
  });
  return [...both, ...alone];
}

/** Runs a cell. Gives what is wrong with its end: how it ended, or what it has left. */
export async function runCell({ words, stop, codes }: Cell, { cwd, env, mark, temporary }: World): Promise<string[]> {
  rmSync(mark, { force: true });
  const child = spawn(process.execPath, [projectFile('dist/cli.cjs'), ...words], {
    cwd,
    env: { ...env, WAITS: stop?.in },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const state = { over: false };
  child.once('exit', () => (state.over = true));
  let pid = 0;
  if (stop !== null) {
    await waitUntil(() => state.over || readFileSync(mark, 'utf8').endsWith('\n'));
    pid = existsSync(mark) ? Number(readFileSync(mark, 'utf8')) : 0;
    child.kill(stop.signal);
  }
  const [, stderr] = await output;
  const isOrphan = pid > 0 && isGroupRunning(pid);
  if (isOrphan) send(-pid, 'SIGKILL');
  await waitUntil(() => pid === 0 || !isGroupRunning(pid));
  const left = readdirSync(temporary).filter((name) => /^hotspan-(base|index)-/.test(name));
  return [
    ...(codes.includes(child.exitCode)
      ? []
      : [`exit code ${child.exitCode} ${child.signalCode}: ${stderr.slice(-1500)}`]),
    ...(stop?.signal !== 'SIGKILL' && isOrphan ? ['a process is left'] : []),
    ...(stop?.signal !== 'SIGKILL' && left.length > 0 ? [`left: ${left.join(', ')}`] : []),
  ];
}

/** The budget that \`check\` judges by; it lies beside the world. */
export function budgetOf({ folder }: World): string {
  return path.join(folder, '..', 'budget.json');
}
