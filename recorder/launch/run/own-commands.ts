import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { appendFile, readText } from '../../../recordings/files-at-once.ts';
import { appending, notOursAlone } from '../../../recordings/private-files.ts';
import { makeHome, recorderHomes } from '../install/recorder-copy.ts';

/**
 * Remembers which commands this user has recorded, and where, as hashes in the user's cache folder. A recording may come
 * from a cloned repository, so its command is run only if this list has it. `kept` is the command in the recording.
 */
export async function noteOwnCommand(
  { command, cwd, env }: { readonly command: readonly string[]; readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  kept: readonly string[],
): Promise<void> {
  // A command with secrets is redacted in the recording, so it cannot be run from there.
  const isWhole = command.join('\n') === kept.join('\n');
  if (isWhole && !(await isOwnCommand(command, cwd, env))) await note(hashOf(command, cwd), env);
}

/** Remembers that this user made a recording, so that the texts in it may run again. `startedAt`: as in its manifest. */
export async function noteOwnRecording(folder: string, startedAt: string, env: NodeJS.ProcessEnv): Promise<void> {
  await note(await hashOfRecording(folder, startedAt), env);
}

async function note(hash: string, env: NodeJS.ProcessEnv): Promise<void> {
  const file = listFile(env);
  if (file === null) return;
  try {
    makeHome({ folder: path.dirname(file), isShared: false });
    await appendFile(file, `${hash}\n`, appending);
  } catch {
    // Nothing can be written there: what is not noted does not run.
  }
}

/** Whether this user has recorded this command in this folder. */
export async function isOwnCommand(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return isNoted(hashOf(command, cwd), env);
}

/** Whether this user made a recording that is still where it was made. */
export async function isOwnRecording(folder: string, startedAt: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return isNoted(await hashOfRecording(folder, startedAt), env);
}

async function isNoted(hash: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const file = listFile(env);
  if (file === null || !isOursAlone(path.dirname(file))) return false;
  const list = await readText(file).catch(() => '');
  return list.split('\n').includes(hash);
}

/** Whether only this user may have written to the list: several users may share a home folder. */
function isOursAlone(folder: string): boolean {
  try {
    return notOursAlone(folder) === null;
  } catch {
    return false; // It is not there.
  }
}

function listFile(env: NodeJS.ProcessEnv): string | null {
  const own = recorderHomes(env, false)[0];
  return own === undefined ? null : path.join(own.folder, 'own-commands.txt');
}

/** By a library, because `node:crypto` takes 10 ms of CPU time to load, and every recorded command is hashed. */
function hashOf(command: readonly string[], cwd: string): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([cwd, ...command]))));
}

async function hashOfRecording(folder: string, startedAt: string): Promise<string> {
  return hashOf(['recording', startedAt], await realpath(folder).catch(() => folder));
}
