import type { HotspotGroup, Hotspots, HotspotsParams, Location, OfRecording, Place } from '../../protocol/requests.ts';
import type { Session } from '../recordings/session.ts';
import { fileURLToPath } from 'node:url';
import { line0 } from '../../protocol/units.ts';
import { mapLines } from '../placement/line-map.ts';
import { textOfNow } from './placed-file.ts';

export async function hotspots(session: Session, params: HotspotsParams): Promise<Hotspots> {
  const { recordings } = session;
  const { annotated } = recordings;
  if (annotated === null) return null;
  const { recording } = annotated.summary;
  const groups = await recordings.ask(recording, 'hotspots', { params, metric: session.display.metric });
  return {
    recording,
    groups: await Promise.all(groups.map((group) => placedGroup(session, group, annotated.changes))),
  };
}

async function placedGroup(
  session: Session,
  group: HotspotGroup,
  changes: ReadonlyMap<number, string>,
): Promise<HotspotGroup> {
  const items = group.items.map(async (item) => {
    const change = changes.get(item.functionId);
    const shown = change === undefined ? item : { ...item, description: `${change} · ${item.description}` };
    return item.location === null ? shown : { ...shown, location: await placed(session, item.location) };
  });
  return { ...group, items: await Promise.all(items) };
}

/** Where a place of the recording is in the text that the editor has now. */
export async function locate(session: Session, params: OfRecording<Place>): Promise<Location | null> {
  const location = await session.recordings.ask(params.recording, 'locate', params);
  return location === null ? null : placed(session, location);
}

/** Where a location of the recorded text is in the text that the editor has now. */
async function placed(session: Session, location: Location): Promise<Location> {
  if (!location.inside) return location;
  const before = await session.recordings.file(fileURLToPath(location.uri));
  const now = before === null ? null : await textOfNow(session, location.uri);
  if (now === null || before === null) return location;
  const map = mapLines(before.text, now);
  const line = map.lineOf(location.line);
  return { ...location, line: line0(line >= 0 ? line : map.nearest(location.line)) };
}
