import { fileURLToPath } from 'node:url';
import type { Location, OfRecording, Place } from '../../protocol/requests.ts';
import { line0 } from '../../protocol/units.ts';
import { mapLines } from '../placement/line-map.ts';
import { textOfNow } from './marks.ts';
import type { Session } from '../recordings/session.ts';

/** Where a place of the recording is in today's text, if the editor has that text open. */
export async function locate(session: Session, params: OfRecording<Place>): Promise<Location | null> {
  const location = await session.recordings.ask(params.recording, 'locate', params);
  return location === null ? null : placed(session, location);
}

/** Where a location of the recorded text is in the text that the editor has now. */
export async function placed(session: Session, location: Location): Promise<Location> {
  if (!location.inside) return location;
  const before = await session.recordings.file(fileURLToPath(location.uri));
  const now = before === null ? null : await textOfNow(session, location.uri);
  if (now === null || before === null) return location;
  const map = mapLines(before.text, now);
  const line = map.lineOf(location.line);
  return { ...location, line: line0(line >= 0 ? line : map.nearest(location.line)) };
}
