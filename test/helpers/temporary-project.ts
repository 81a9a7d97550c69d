import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

/** The environment whose cache folder is this one, on each system. */
export function cacheIn(folder: string): { readonly XDG_CACHE_HOME: string; readonly LOCALAPPDATA: string } {
  return { XDG_CACHE_HOME: folder, LOCALAPPDATA: folder };
}

/** A folder with these files, by path inside it; absolute, without links in it. Removed after the tests of the file. */
export function temporaryProject(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hotspan-project-')));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
