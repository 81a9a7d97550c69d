import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { MAX_NAMED_BYTES } from '../../engine/read/files/world.ts';
import type { Session } from '../recordings/session.ts';

/** The text of the open document, else of the file; null where it cannot be read. */
export async function textNow(session: Session, uri: string): Promise<string | null> {
  const path = fileURLToPath(uri);
  return openDocument(session, path)?.getText() ?? textOnDisk(path);
}

/** Asynchronous, because a network disk may not answer, and this thread answers the editor. */
export async function textOnDisk(path: string): Promise<string | null> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size <= MAX_NAMED_BYTES.text ? new TextDecoder().decode(await readFile(path)) : null;
  } catch {
    return null; // It is gone, or may not be read.
  }
}

/** The document of an absolute path. Editors may escape more of the address than necessary. */
export function openDocument({ documents }: Session, path: string): TextDocument | undefined {
  const plain = documents.get(pathToFileURL(path).href);
  return plain ?? documents.all().find(({ uri }) => uri.startsWith('file:') && fileURLToPath(uri) === path);
}
