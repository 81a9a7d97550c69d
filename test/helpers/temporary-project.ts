import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The environment whose cache folder is this one, on each system. */
export function cacheIn(folder: string): { readonly XDG_CACHE_HOME: string; readonly LOCALAPPDATA: string } {
  return { XDG_CACHE_HOME: folder, LOCALAPPDATA: folder };
}

const folders: string[] = [];
// Not after the test that makes it: Windows deletes no folder in which a process runs, and that may end later.
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder with these files, by path inside it; absolute, without links in it. Removed after the tests of the file. */
export function temporaryProject(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hotspan-project-')));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

/** A module whose `hash` holds the loop for over 100 ms, in one call of Node. */
export const hashModule = `import { pbkdf2Sync } from 'node:crypto';

export function hash() {
  return pbkdf2Sync('secret', 'salt', 200_000, 32, 'sha512');
}
`;
