import { readFile, stat } from 'node:fs/promises';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { uriOf, pathOfUri } from '../../engine/read/files/file-path.ts';
import { MAX_NAMED_BYTES } from '../../engine/read/files/world.ts';
import { isSamePath } from '../../protocol/path-spelling.ts';
import type { Session } from '../recordings/session.ts';

/** The text of the open document, else of the file; null where it cannot be read. */
export async function textNow(session: Session, uri: string): Promise<string | null> {
  const path = pathOfUri(uri);
  return path === null ? null : (openDocument(session, path)?.getText() ?? textOnDisk(path));
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
  const plain = documents.get(uriOf(path));
  return (
    plain ??
    documents.all().find(({ uri }) => {
      const own = pathOfUri(uri);
      return own !== null && isSamePath(own, path);
    })
  );
}
