import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * Walks every file of these folders, git's own and ignored ones too, and gives what asserts that each is the same:
 * content, mode, owner, time, and where a link leads. A baseline lies in `.hotspan`: that is left out, with the time of
 * the folder that has it. So are the times of git's objects: git sets them where it would write what it has.
 */
export function untouched(...folders: readonly string[]): () => void {
  const before = folders.map(filesBelow);
  return () => {
    const changes = folders.flatMap((folder, index) => changesBetween(before[index] ?? new Map(), filesBelow(folder)));
    assert.deepEqual(changes, []);
  };
}

interface Entry {
  /** Mode, owner, and what it holds or where it leads. */
  readonly content: string;
  /** When that changed last; null where that does not count. */
  readonly time: string | null;
}
type Entries = ReadonlyMap<string, Entry>;

function changesBetween(before: Entries, now: Entries): readonly string[] {
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((file) => {
    const [was, is] = [before.get(file), now.get(file)];
    if (was?.content !== is?.content) return [`${file}: ${was?.content ?? 'nothing'} → ${is?.content ?? 'nothing'}`];
    const hasTime = (was?.time ?? null) !== null && (is?.time ?? null) !== null;
    return hasTime && was?.time !== is?.time ? [`${file}: ${was?.time} → ${is?.time}`] : [];
  });
}

function filesBelow(folder: string): Entries {
  const found = new Map<string, Entry>();
  const visit = (file: string): void => {
    const stat = lstatSync(file);
    const isDirectory = stat.isDirectory();
    const isTimeless = /[/\\]objects[/\\]/.test(file) || (isDirectory && existsSync(path.join(file, '.hotspan')));
    const content = [
      ...[stat.mode.toString(8), stat.uid, stat.gid],
      ...(stat.isSymbolicLink() ? [readlinkSync(file)] : []),
      ...(stat.isFile() ? [createHash('sha1').update(readFileSync(file)).digest('hex')] : []),
    ];
    found.set(file, { content: content.join(' '), time: isTimeless ? null : stat.mtime.toISOString() });
    if (!isDirectory) return;
    for (const name of readdirSync(file)) if (name !== '.hotspan') visit(path.join(file, name));
  };
  visit(folder);
  return found;
}
