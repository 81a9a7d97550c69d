import type { Uri } from 'vscode';

/**
 * What names a file to the server: its path, or all of its address where it is not on a disk that the server can read. The
 * server says so then, in a sentence.
 */
export function pathOf(uri: Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
}
