import type {
  FindingItem,
  HotspotGroup,
  HotspotItem,
  Hotspots,
  HotspotsParams,
  Verdict,
} from '../../protocol/list-rows.ts';
import type { Location, Place } from '../../protocol/places.ts';
import type { OfRecording } from '../../protocol/requests.ts';
import type { Session } from '../recordings/session.ts';
import { fileURLToPath } from 'node:url';
import { diffNamed } from '../../protocol/diff.ts';
import { mapToNow } from './placed-file.ts';

/** The hotspots of each result on screen, as the results have them: what two of them reached is in both. */
export async function hotspots(session: Session, params: HotspotsParams): Promise<Hotspots> {
  const { recordings, display } = session;
  const all = recordings.shown.map(async ({ target, summary: { recording }, changes }) => {
    const groups = await recordings.ask(recording, 'hotspots', { params, metric: display.metric });
    const verdict = await recordings.ask(recording, 'verdict', null);
    const placed = groups.map(async (group) => placedGroup(session, recording, group, changes));
    return {
      target,
      recording,
      verdict: await placedVerdict(session, recording, verdict, changes),
      groups: await Promise.all(placed),
    };
  });
  return Promise.all(all);
}

async function placedVerdict(
  session: Session,
  recording: string,
  verdict: Verdict,
  changes: Changes,
): Promise<Verdict> {
  const placedItem = async (item: FindingItem): Promise<FindingItem> => placedRow(session, recording, item, changes);
  const [findings, closed] = await Promise.all(
    [verdict.findings, verdict.closed].map(async (items) => Promise.all(items.map(placedItem))),
  );
  return { ...verdict, findings: findings ?? [], closed: closed ?? [] };
}

/** What re-checks say, by the number of the function. */
type Changes = ReadonlyMap<number, { readonly text: string }>;

/** A row where it is in the text that the editor has now, with what a re-check says of its function. */
async function placedRow<Row extends HotspotItem>(
  session: Session,
  recording: string,
  row: Row,
  changes: Changes,
): Promise<Row> {
  const change = changes.get(row.functionId);
  const shown = change === undefined ? row : { ...row, description: `${change.text} · ${row.description}` };
  return row.location === null ? shown : { ...shown, location: await placed(session, recording, row.location) };
}

async function placedGroup(
  session: Session,
  recording: string,
  group: HotspotGroup,
  changes: Changes,
): Promise<HotspotGroup> {
  const items = group.items.map(async (item) => placedRow(session, recording, item, changes));
  return { ...group, items: await Promise.all(items) };
}

/** Where a place of the recording is in the text that the editor has now. */
export async function locate(session: Session, params: OfRecording<Place>): Promise<Location | null> {
  if (diffNamed(params.recording) !== null) return locateInDiff(session, params);
  const location = await session.recordings.ask(params.recording, 'locate', params);
  return location === null ? null : placed(session, params.recording, location);
}

async function locateInDiff(session: Session, { recording, ...place }: OfRecording<Place>): Promise<Location | null> {
  const location = await session.diffs.ask(recording, 'locate', place);
  if (location === null || !location.inside) return location;
  const text = await session.diffs.ask(recording, 'textNow', fileURLToPath(location.uri));
  return text === null ? location : placedNow(session, location, { text });
}

/** Where a location of the recorded text is in the text that the editor has now. */
async function placed(session: Session, recording: string, location: Location): Promise<Location> {
  if (!location.inside) return location;
  const before = await session.recordings.file(recording, fileURLToPath(location.uri));
  return before === null ? location : placedNow(session, location, before);
}

async function placedNow(session: Session, location: Location, before: { readonly text: string }): Promise<Location> {
  const map = await mapToNow(session, location.uri, before);
  return { ...location, line: map.lineOf(location.line) ?? map.nearest(location.line) };
}
