import { fileURLToPath } from 'node:url';
import { readText } from '../../engine/files/read-text.ts';
import { nodeWorld } from '../../recordings/node-world.ts';
import type { FileMarks, FileMarksParams } from '../../protocol/requests.ts';
import { type PlacedFile, placeAnnotations } from '../placement/placed-file.ts';
import type { Session } from '../recordings/session.ts';
import { lineMarks } from '../texts/line-marks.ts';

/** The decorations of a file, where its lines are in the editor now. */
export async function fileMarks(session: Session, { uri }: FileMarksParams): Promise<FileMarks> {
  const thresholdUs = session.recordings.annotated?.summary.thresholdUs;
  const file = await placedFile(session, uri);
  if (file === null || thresholdUs === undefined) return { marks: [], more: 0 };
  return lineMarks({ ...file, imports: shownImports(session, file) }, session.display.metric, thresholdUs);
}

/** Loading is shown on request alone. */
export function shownImports({ display }: Session, { imports }: PlacedFile): PlacedFile['imports'] {
  return imports.filter((item) => display.loading || item.package !== null);
}

/** What the annotated recording knows of a document; null where that is nothing. */
export async function placedFile(session: Session, uri: string): Promise<PlacedFile | null> {
  if (!uri.startsWith('file:')) return null;
  const annotations = await session.recordings.file(fileURLToPath(uri));
  if (annotations === null) return null;
  return placeAnnotations(annotations, (await textOfNow(session, uri)) ?? annotations.text);
}

/** The editor's text; of a document that is not open the file's, null where that cannot be read. */
export async function textOfNow({ documents }: Session, uri: string): Promise<string | null> {
  return documents.get(uri)?.getText() ?? readText(fileURLToPath(uri), nodeWorld);
}
