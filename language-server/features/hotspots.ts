import type { HotspotItem, Hotspots, HotspotsParams } from '../../protocol/list-rows.ts';
import type { Location, Place } from '../../protocol/places.ts';
import type { OfRecording, Recheck } from '../../protocol/requests.ts';
import type { Session } from '../recordings/session.ts';
import { fileURLToPath } from 'node:url';
import { diffNamed } from '../../protocol/diff.ts';
import { locateFrame } from '../queries/locate.ts';
import { basename } from 'node:path';
import { changesNow } from './rechecks.ts';
import { mapToNow } from './placed-file.ts';

/** The hotspots of each result on screen. What two of them reached is in both. */
export async function hotspots(session: Session, params: HotspotsParams): Promise<Hotspots> {
  const { recordings, display } = session;
  const all = recordings.shown.map(async (result) => {
    const { target, summary } = result;
    const { recording } = summary;
    const changes = await changesNow(session, result);
    /** A row at its place in the current text, with the result of a re-check. */
    const placedRow = async <Row extends HotspotItem>(row: Row): Promise<Row> => {
      const shown = withChange(row, changes.get(row.functionId));
      return row.location === null ? shown : { ...shown, location: await placed(session, recording, row.location) };
    };
    const placedRows = async <Row extends HotspotItem>(rows: readonly Row[]): Promise<readonly Row[]> =>
      Promise.all(rows.map(placedRow));
    const groups = await recordings.ask(recording, 'hotspots', { params, metric: display.metric });
    const verdict = await recordings.ask(recording, 'verdict', null);
    const findings = await placedRows(verdict.findings);
    const closed = await placedRows(verdict.closed);
    return {
      target,
      recording,
      verdict: { ...verdict, findings, closed },
      groups: await Promise.all(groups.map(async (group) => ({ ...group, items: await placedRows(group.items) }))),
    };
  });
  return Promise.all(all);
}

/** A re-checked function has the figures of the re-check, and none of the recording. */
function withChange<Row extends HotspotItem>(row: Row, change: Recheck | undefined): Row {
  if (change === undefined) return row;
  if (change.type !== 'done') return { ...row, description: `${change.text} · ${row.description}` };
  const file = row.location === null ? [] : [basename(fileURLToPath(row.location.uri))];
  return { ...row, figure: change.text, description: ['re-checked', ...file].join(' · ') };
}

/** Where a place is in the current text. A frame has a url and a line; only the worker knows where functions are. */
export async function locate(session: Session, { recording, ...place }: OfRecording<Place>): Promise<Location | null> {
  const location =
    'functionId' in place
      ? await session.recordings.ask(recording, 'locate', place)
      : locateFrame(place, session.roots);
  return location === null ? null : placed(session, recording, location);
}

/** Where a location of the recorded text is in the current text. */
async function placed(session: Session, recording: string, location: Location): Promise<Location> {
  if (!location.inside) return location;
  const path = fileURLToPath(location.uri);
  const text =
    diffNamed(recording) === null
      ? (await session.recordings.file(recording, path))?.text
      : await session.diffs.ask(recording, 'textNow', path);
  if (text === undefined || text === null) return location;
  const map = await mapToNow(session, location.uri, { text });
  return { ...location, line: map.lineOf(location.line) ?? map.nearest(location.line) };
}
