import path from 'node:path';

/** A path from the current folder where it lies below that, else as it is; both absolute. */
export function shownPath(file: string, currentFolder: string): string {
  const relative = path.relative(currentFolder, file);
  const isBelow =
    relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  return isBelow ? relative : file;
}
