import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * Walks every file of these folders, git's own and ignored ones too, and gives what asserts that each is the same:
 * content, mode, and where a link leads. Folders named `.hotspan` are left out: a baseline lies there.
 */
export function untouched(...folders: readonly string[]): () => void {
  const before = folders.map(filesBelow);
  return () => {
    for (const [index, folder] of folders.entries()) assert.deepEqual(filesBelow(folder), before[index]);
  };
}

function filesBelow(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = (file: string): void => {
    const stat = lstatSync(file);
    const mode = stat.mode.toString(8);
    if (stat.isDirectory()) {
      found[file] = mode;
      for (const name of readdirSync(file)) if (name !== '.hotspan') visit(path.join(file, name));
    } else if (stat.isSymbolicLink()) found[file] = `→ ${readlinkSync(file)}`;
    else found[file] = `${mode} ${createHash('sha1').update(readFileSync(file)).digest('hex')}`;
  };
  visit(folder);
  return found;
}
