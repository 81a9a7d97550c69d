import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { bytesBelow } from './recording-folders.ts';
import { deleteRecordingIn, isPlainFolder } from './delete-recordings.ts';
import { isNameOfComparedRun, isNameOfComparison } from '../protocol/formats/folder-names.ts';

/** The folder of a comparison, with the recordings of both sides and what their commands printed. */
interface FoundComparison {
  readonly folder: string;
  readonly bytes: number;
}

/**
 * Deletes the comparisons below `root` that were made first, each as a whole, until all together have at most
 * `mostBytes` bytes; `kept` is never among them, nor one in which something was written
 * within the last hour: it may still run, in another window. Links, and all that has another name than Hotspan gives, stay. Gives
 * sentences about what should have been deleted and is still there.
 */
export async function pruneComparisons(root: string, mostBytes: number, kept: string): Promise<readonly string[]> {
  const all = await comparisonsIn(root);
  let surplus = all.reduce((sum, { bytes }) => sum + bytes, 0) - mostBytes;
  const left: string[] = [];
  for (const { folder, bytes } of all) {
    if (surplus <= 0) break;
    if (folder === kept || (await mayRun(folder))) continue;
    left.push(...(await deleteComparison(folder)));
    surplus -= bytes;
  }
  return left;
}

/** Each run of a comparison makes a folder, and no run that a person waits for takes so long. */
async function mayRun(folder: string): Promise<boolean> {
  const inside = await readdir(folder).catch((): readonly string[] => []);
  const paths = [folder, ...inside.map((name) => path.join(folder, name))];
  const times = await Promise.all(
    paths.map(async (one) =>
      lstat(one).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return Date.now() - Math.max(...times) < anHour;
}

/** In ms. */
const anHour = 3600 * 1000;

/** The comparisons in a folder, the oldest first: their names begin with the time. */
async function comparisonsIn(root: string): Promise<readonly FoundComparison[]> {
  const names = (await readdir(root).catch((): readonly string[] => [])).filter(isNameOfComparison).toSorted();
  const found: FoundComparison[] = [];
  for (const name of names) {
    const folder = path.join(root, name);
    if (await isPlainFolder(folder)) found.push({ folder, bytes: await bytesBelow(folder) });
  }
  return found;
}

async function deleteComparison(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const left: string[] = [];
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && isNameOfComparedRun(entry.name)) {
      const deletion = await deleteRecordingIn(file);
      if (deletion.type === 'left') left.push(deletion.message);
    } else if (entry.isFile() && isLog(entry.name)) await unlink(file).catch(() => undefined); // It goes the next time.
  }
  await rmdir(folder).catch(() => undefined); // Something that is not ours lies in it.
  return left;
}

/** What the commands of a comparison printed. */
function isLog(name: string): boolean {
  return name === 'prepare.log' || (name.endsWith('.log') && isNameOfComparedRun(name.slice(0, -'.log'.length)));
}
