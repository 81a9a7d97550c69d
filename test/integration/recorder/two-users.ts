import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

/** Somebody else on this machine, who has no name in it. */
export const stranger = 12_345;

const setpriv = 'setpriv';
const isPossible =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync(setpriv, ['--version']).status === 0;

/** For `test`: why it is left out, or false. */
export const skip = isPossible ? false : 'to be two users takes root on Linux, and setpriv';

/** A command as another user runs it. */
export function as(user: number, command: readonly string[]): readonly [string, ...string[]] {
  return [setpriv, '--reuid', String(user), '--regid', String(user), '--clear-groups', ...command];
}

/** A folder of this user's, with these rights whatever the umask. */
export function makeFolder(folder: string, user: number, mode: number): void {
  mkdirSync(folder);
  chownSync(folder, user, user);
  chmodSync(folder, mode);
}

export interface Attacker {
  /** Ends it; what it had to say. */
  readonly stop: () => Promise<string>;
}

/** Runs a text of JavaScript as the stranger until it is told to stop; returns when it has said `ready`. */
export async function attack(t: TestContext, body: string, ...args: readonly string[]): Promise<Attacker> {
  const [command, ...words] = as(stranger, [process.execPath, '-e', body, ...args]);
  const child: ChildProcess = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill());
  if (child.stdout === null) throw new Error('no pipe');
  const said = text(child.stdout);
  await once(child.stdout, 'data');
  return {
    stop: async () => {
      const ended = once(child, 'close');
      child.kill();
      await ended;
      return (await said).replace('ready\n', '');
    },
  };
}

/** Says each file below the given folder, and below new folders for temporary files, that it can read. */
export const reads = `
  const fs = require('fs'), path = require('path');
  const [folder] = process.argv.slice(1), seen = new Set();
  const look = (one) => {
    let entries = [];
    try { entries = fs.readdirSync(one, { withFileTypes: true }); } catch {}
    for (const entry of entries) {
      const file = path.join(one, entry.name);
      if (entry.isDirectory()) look(file);
      else try { fs.closeSync(fs.openSync(file)); if (!seen.has(file)) { seen.add(file); console.log(file); } } catch {}
    }
  };
  console.log('ready');
  for (;;) {
    look(folder);
    for (const name of fs.readdirSync('/tmp')) if (name.startsWith('.hotspan-')) look('/tmp/' + name);
  }`;

/** Puts a link to the second folder in the place of whatever comes into the first. */
export const replaces = `
  const fs = require('fs'), path = require('path');
  const [folder, target] = process.argv.slice(1);
  console.log('ready');
  for (let i = 0; ; i++) {
    for (const name of fs.readdirSync(folder)) {
      if (name.startsWith('was-')) continue;
      try {
        if (fs.lstatSync(path.join(folder, name)).isSymbolicLink()) continue;
        fs.renameSync(path.join(folder, name), path.join(folder, 'was-' + i));
        fs.symlinkSync(target, path.join(folder, name));
      } catch {}
    }
  }`;

/**
 * Guesses the names of worker threads' profiles, by the processes of a program that it sees, and puts links to a file
 * there. The third argument is the name of the program.
 */
export const guesses = `
  const fs = require('fs'), path = require('path');
  const [folder, victim, program] = process.argv.slice(1);
  console.log('ready');
  const two = (value) => String(value).padStart(2, '0');
  const nameAt = (time, pid) => {
    const [date, clock] = [[time.getMonth() + 1, time.getDate()], [time.getHours(), time.getMinutes(), time.getSeconds()]];
    return 'CPU.' + time.getFullYear() + date.map(two).join('') + '.' + clock.map(two).join('') + '.' + pid + '.1.001.cpuprofile';
  };
  const known = new Set();
  for (;;) {
    for (const pid of fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name) && !known.has(name))) {
      let words = '';
      try { words = fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8'); } catch {}
      if (words.split('\\0')[1] !== program) continue;
      known.add(pid);
      for (let second = -2; second < 10; second++) try {
        fs.symlinkSync(victim, path.join(folder, nameAt(new Date(Date.now() + second * 1000), pid)));
      } catch {}
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }`;

/** What V8 makes of another text of the same length: it looks at no more than that. */
export const hostileCode = `
  const fs = require('fs'), v8 = require('v8'), vm = require('vm');
  const [copy] = process.argv.slice(1);
  const length = new vm.Script(fs.readFileSync(copy + '.cjs', 'utf8')) && lengthOfRecorder();
  function lengthOfRecorder() {
    let length = 0;
    const Script = vm.Script;
    vm.Script = function (source) { length = source.length; throw new Error('that is all'); };
    require(copy + '.cjs');
    vm.Script = Script;
    return length;
  }
  const hostile = '(function () { process._rawDebug("hostile"); })'.padEnd(length);
  const script = new vm.Script(hostile, { filename: copy + '.cjs' });
  script.runInThisContext();
  const code = script.createCachedData();
  fs.writeFileSync(copy + '.' + v8.cachedDataVersionTag().toString(16) + '.code', Buffer.concat([code, code]));`;
