import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import path from 'node:path';
import { appendFile, readText } from '../../../recordings/files-at-once.ts';
import { appending, notOursAlone } from '../../../recordings/private-files.ts';
import { makeHome, recorderHomes } from '../install/recorder-copy.ts';

/**
 * Remembers which commands this person has recorded, and where. A recording may come from anybody, a cloned repository
 * for one, so a command out of it is run only if this list has it. Kept are hashes, in the person's own cache folder.
 * `kept` is the command as the recording has it.
 */
export async function noteOwnCommand(
  { command, cwd, env }: { readonly command: readonly string[]; readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  kept: readonly string[],
): Promise<void> {
  // A command with secrets is not kept as it was typed, so nobody can run it out of the recording.
  const isWhole = command.join('\n') === kept.join('\n');
  const file = listFile(env);
  if (!isWhole || file === null || (await isOwnCommand(command, cwd, env))) return;
  try {
    makeHome({ folder: path.dirname(file), isShared: false });
    await appendFile(file, `${hashOf(command, cwd)}\n`, appending);
  } catch {
    // Nothing can be written there: the person will be asked for the command.
  }
}

/** Whether this person has recorded this command in this folder. */
export async function isOwnCommand(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const file = listFile(env);
  if (file === null || !isOursAlone(path.dirname(file))) return false;
  const list = await readText(file).catch(() => '');
  return list.split('\n').includes(hashOf(command, cwd));
}

/** Whether nobody else may have written to the list: the home folder may be one for all users. */
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

/** By a library, because `node:crypto` takes 10 ms of processor time to load, and every recorded command is hashed. */
function hashOf(command: readonly string[], cwd: string): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([cwd, ...command]))));
}
