import path from 'node:path';

/** A path relative to the current folder where it is below that, else unchanged. Both are absolute. */
export function shownPath(file: string, currentFolder: string): string {
  const relative = path.relative(currentFolder, file);
  const isBelow =
    relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  return isBelow ? relative : file;
}
