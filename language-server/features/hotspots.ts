import type { HotspotGroup, Hotspots, HotspotsParams } from '../../protocol/requests.ts';
import type { Session } from '../recordings/session.ts';
import { placed } from './locate.ts';

export async function hotspots(session: Session, params: HotspotsParams): Promise<Hotspots> {
  const { recordings } = session;
  const { annotated } = recordings;
  if (annotated === null) return null;
  const { recording } = annotated.summary;
  const groups = await recordings.ask(recording, 'hotspots', { params, metric: session.display.metric });
  return { recording, groups: await Promise.all(groups.map((group) => placedGroup(session, group))) };
}

async function placedGroup(session: Session, group: HotspotGroup): Promise<HotspotGroup> {
  const items = group.items.map(async (item) => {
    return item.location === null ? item : { ...item, location: await placed(session, item.location) };
  });
  return { ...group, items: await Promise.all(items) };
}
