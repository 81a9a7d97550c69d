import type { Hotspots, HotspotsParams } from '../../protocol/requests.ts';
import type { Session } from '../recordings/session.ts';

export async function hotspots({ recordings, display }: Session, params: HotspotsParams): Promise<Hotspots> {
  const { annotated } = recordings;
  if (annotated === null) return null;
  const { recording } = annotated.summary;
  return { recording, groups: await recordings.ask(recording, 'hotspots', { params, metric: display.metric }) };
}
