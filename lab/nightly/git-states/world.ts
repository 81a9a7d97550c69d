import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { common, type State } from './states.ts';

/** A repository in a state, all that it may be damaged by, and beside it the folders that Hotspan may write to. */
export interface World {
  /** All that must stay as it is: the repository, what is around it, the person's own folder. */
  readonly folder: string;
  /** Where the person is. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The folder for temporary files, and for what Hotspan keeps of its own. */
  readonly temporary: string;
  /** Written by the program, and by a preparation that waits: its pid. */
  readonly mark: string;
  readonly close: () => void;
}

/** Spins for 30 ms; where it is to be stopped it notes its pid, and waits. */
const program = `
const { MARK, WAITS } = process.env;
function slow() {
  const end = process.cpuUsage().user + 30_000;
  while (process.cpuUsage().user < end) Math.sqrt(end);
}
setTimeout(() => {
  slow();
  if (WAITS === 'run') { require('fs').writeFileSync(MARK, process.pid + '\\n'); setTimeout(() => {}, 60_000); }
}, 5);
`;

const identity = `[user]\n\tname = a\n\temail = a@example.com\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n`;

export function openWorld({ script, cwd = 'shop', env = {} }: State): World {
  const outer = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'hotspan-world-')));
  const [folder, temporary, main] = ['world', 'temporary', 'main.js'].map((name) => path.join(outer, name));
  const home = path.join(outer, 'world', 'home');
  for (const one of [folder, temporary, home]) if (one !== undefined) mkdirSync(one, { recursive: true });
  if (folder === undefined || temporary === undefined || main === undefined) throw new Error('no folders');
  writeFileSync(main, program);
  writeFileSync(path.join(home, '.gitconfig'), identity);
  const mark = path.join(outer, 'mark');
  const ofPerson = { ...process.env, HOME: home, XDG_CONFIG_HOME: undefined, NODE_TEST_CONTEXT: undefined, MAIN: main };
  const made = spawnSync('sh', ['-ec', `${common}\n${script}`], { cwd: folder, env: ofPerson, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`the state cannot be made: ${made.stdout}${made.stderr}`);
  const given: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(env)) given[name] = value.replaceAll('%', folder);
  return {
    ...{ folder, temporary, mark, cwd: path.join(folder, cwd) },
    env: {
      ...ofPerson,
      ...{ TMPDIR: temporary, XDG_CACHE_HOME: temporary, MARK: mark },
      ...{ npm_config_offline: 'true', npm_config_cache: temporary, HOTSPAN_RECORDINGS: undefined },
      ...given,
    },
    close: () => rmSync(outer, { recursive: true, force: true }),
  };
}
