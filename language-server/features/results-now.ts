import { uriOf, pathOfUri } from '../../engine/read/files/file-path.ts';
import { fileNameOf } from '../../protocol/machine-path.ts';
import { diffNamed } from '../../protocol/diff.ts';
import {
  type FindingItem,
  type HotspotGroup,
  type HotspotItem,
  type Hotspots,
  type HotspotsParams,
  type Verdict,
  withFigure,
} from '../../protocol/list-rows.ts';
import type { Location } from '../../protocol/places.ts';
import type { FunctionReference, ResultsNow } from '../../protocol/requests.ts';
import type { Summary } from '../../protocol/summary.ts';
import { line1, toLine0, toLine1 } from '../../protocol/units.ts';
import { stampsOf } from '../../recordings/file-stamps.ts';
import { timeText, withLine } from '../../words/formats/figures.ts';
import { recheckText } from '../../words/formats/mark-texts.ts';
import { mapCode, placeFunction } from '../placement/code-map.ts';
import type { ShownRecording } from '../recordings/recordings.ts';
import type { Session } from '../recordings/session.ts';
import { textNow } from './current-text.ts';
import { mapToNow } from './placed-file.ts';
import { type Changes, changesNow } from './rechecks.ts';

/** The hotspots of each result on screen, as the code is now. What two results reached is in both. */
export async function hotspots(session: Session, params: HotspotsParams): Promise<Hotspots> {
  const { recordings, display } = session;
  return recordings.ofShown(async (result) => {
    const { target, summary } = result;
    const { recording } = summary;
    // All are asked at once: a result that leaves the screen meanwhile is closed.
    const [groups, verdict, changes] = await Promise.all([
      recordings.ask(recording, 'hotspots', { params, metric: display.metric }),
      recordings.ask(recording, 'verdict', null),
      changesNow(session, result),
    ]);
    const rows = new RowsNow(session, recording, changes);
    return {
      target,
      recording,
      verdict: await verdictNow(verdict, rows, changes),
      groups: await Promise.all(groups.map(async (group) => groupNow(group, await rows.place(group.items)))),
    };
  });
}

/** The verdict without what was fixed since. */
async function verdictNow(verdict: Verdict, rows: RowsNow, changes: Changes): Promise<Verdict> {
  const [findings, fixed] = splitFixed(verdict.findings, changes);
  return {
    ...verdict,
    findings: await rows.place(findings),
    fixed: await rows.place(fixed),
    closed: await rows.place(verdict.closed),
    nothing: findings.length === 0 && fixed.length > 0 ? verdict.nothingLeft : verdict.nothing,
  };
}

function splitFixed(findings: readonly FindingItem[], changes: Changes) {
  const isFixed = ({ functionId }: FindingItem): boolean => {
    const change = changes.get(functionId);
    return change?.type === 'done' && change.isFixed;
  };
  return [findings.filter((one) => !isFixed(one)), findings.filter(isFixed)] as const;
}

/** The head of a group has the largest figure that is still shown. */
function groupNow(group: HotspotGroup, items: readonly HotspotItem[]): HotspotGroup {
  return group.figure === '' ? { ...group, items } : withFigure({ ...group, items });
}

/** Rows at their places in the current text, with what is known of their current code. */
class RowsNow {
  readonly #session: Session;
  readonly #recording: string;
  readonly #changes: Changes;
  readonly #stale = new Map<string, Promise<ReadonlySet<number>>>();

  constructor(session: Session, recording: string, changes: Changes) {
    this.#session = session;
    this.#recording = recording;
    this.#changes = changes;
  }

  async place<Row extends HotspotItem>(rows: readonly Row[]): Promise<readonly Row[]> {
    return Promise.all(rows.map(async (row) => this.#placeRow(row)));
  }

  /** Figures form a column, which has no room for a result or a word. */
  async #placeRow<Row extends HotspotItem>(recorded: Row): Promise<Row> {
    if (recorded.location === null) return recorded;
    const row = { ...recorded, ...(await this.#textsNow(recorded, recorded.location)) };
    const location = await placed(this.#session, this.#recording, recorded.location);
    const file = pathOfUri(location.uri) ?? '';
    const change = this.#changes.get(row.functionId);
    if (change?.type === 'running') return { ...row, location, description: `${change.text} · ${row.description}` };
    if (change === undefined && (row.functionId < 0 || !(await this.#staleIn(file)).has(row.functionId)))
      return { ...row, location };
    const description = `${change === undefined ? `was ${row.figure}` : recheckText(change)} · ${fileNameOf(file)}`;
    const known = change === undefined ? ({ tone: 'dim' } as const) : { recheck: change };
    return { ...row, location, figure: '', description, ...known };
  }

  /** The texts with the line where the code of their place is now. */
  async #textsNow(
    { description, tooltip, place = '' }: HotspotItem,
    location: Location,
  ): Promise<Partial<HotspotItem>> {
    const [, file = '', line = ''] = /^(.*):(\d+)$/.exec(place) ?? [];
    const name = fileNameOf(file);
    if (line === '' || name !== fileNameOf(pathOfUri(location.uri) ?? '')) return {};
    const named = { ...location, line: toLine0(line1(Number(line))) };
    const now = toLine1((await placed(this.#session, this.#recording, named)).line);
    const moved = (text: string, known: string): string =>
      text
        .split(/( · |, |\n)/)
        .map((part) =>
          part === `:${line}` || part.endsWith(known) ? withLine(part.slice(0, -line.length - 1), now) : part,
        )
        .join('');
    return { description: moved(description, `${name}:${line}`), tooltip: moved(tooltip, place) };
  }

  async #staleIn(file: string): Promise<ReadonlySet<number>> {
    const found = this.#stale.get(file) ?? staleFunctions(this.#session, this.#recording, file);
    this.#stale.set(file, found);
    return found;
  }
}

/** Hot functions of a file whose code has changed since the recording, or is gone. */
async function staleFunctions(session: Session, recording: string, file: string): Promise<ReadonlySet<number>> {
  const others = await otherFunctions(session, recording, file);
  return new Set(others.filter(({ place }) => place?.stale !== false).map(({ functionId }) => functionId));
}

/** Whether the code of a hot function was removed from its file. */
export async function isCodeGone(
  session: Session,
  { recording, functionId }: FunctionReference,
  uri: string,
): Promise<boolean> {
  const others = await otherFunctions(session, recording, pathOfUri(uri) ?? '');
  return others.some((one) => one.functionId === functionId && one.place === null);
}

/** Those, and the ones that are on other lines; `place` is null where the code is gone. */
async function otherFunctions(session: Session, recording: string, file: string) {
  const measured = await session.recordings.file(recording, file);
  const text = measured === null ? null : await textNow(session, uriOf(file));
  if (measured === null || text === null || text === measured.text) return [];
  const map = mapCode(session.code.recorded(file, measured.text), session.code.now(file, text));
  const placed = measured.functions.map(({ functionId, extent }) => {
    return { functionId, extent, place: placeFunction(map, extent) };
  });
  return placed.filter(
    ({ extent: { firstLine, lastLine }, place }) =>
      place === null || place.stale || place.line !== firstLine || place.lastLine !== lastLine,
  );
}

/** Where a location of the recorded text is in the current text. */
export async function placed(session: Session, recording: string, location: Location): Promise<Location> {
  if (!location.inside) return location;
  const file = pathOfUri(location.uri) ?? '';
  const text =
    diffNamed(recording) === null
      ? (await session.recordings.file(recording, file))?.text
      : await session.diffs.ask(recording, 'textNow', file);
  if (text === undefined || text === null) return location;
  const map = await mapToNow(session, location.uri, { text });
  return { ...location, line: map.lineOf(location.line) ?? map.nearest(location.line) };
}

/** The summaries of the results on screen without what was fixed since, newest first. */
export async function resultsNow(session: Session): Promise<ResultsNow> {
  const all = await session.recordings.ofShown(async (one) => resultNow(session, one));
  return {
    summaries: all.map(({ summary }) => summary),
    state: JSON.stringify(all.map(({ state }) => state)),
  };
}

/** The summary of a recording that has just been opened; of a result on screen as its code is now. */
export async function summaryNow(session: Session, summary: Summary): Promise<Summary> {
  const result = session.recordings.shown.find((one) => one.summary === summary);
  return result === undefined ? summary : (await resultNow(session, result)).summary;
}

async function resultNow(session: Session, result: ShownRecording): Promise<{ summary: Summary; state: unknown }> {
  const { recordings } = session;
  const { recording } = result.summary;
  const code = await codeState(session, result); // First: what changes meanwhile makes the next state differ.
  const [changes, verdict] = [await changesNow(session, result), await recordings.ask(recording, 'verdict', null)];
  const [, findings] = splitFixed(verdict.findings, changes);
  const rows = await new RowsNow(session, recording, changes).place(findings);
  const fixed = rows.map((row) => ({ place: shortPlace(row), text: row.recheck?.text ?? '' }));
  const without = findings.map(({ functionId }) => functionId);
  const summary =
    fixed.length === 0
      ? result.summary
      : { ...result.summary, ...(await recordings.ask(recording, 'summary', { recording, fixed: without })), fixed };
  const has = [...changes.values()].some(({ type }) => type === 'done') ? ({ hasRecheck: true } as const) : {};
  return {
    summary: { ...summary, headline: await headlineNow(session, summary, changes), ...has },
    state: [recording, [...changes].map(([id, { type, text }]) => [id, type, text]), code],
  };
}

/**
 * Which functions of open documents have changed or moved, and when the other files that a surface has asked about were
 * written: after a checkout of thousands of files, comparing their texts at each pause in typing would take seconds.
 */
async function codeState(session: Session, { summary, files }: ShownRecording): Promise<unknown> {
  const open = session.documents.all().flatMap(({ uri }) => pathOfUri(uri) ?? []);
  const others = open.map(async (file) => otherFunctions(session, summary.recording, file));
  const closed = [...files.keys()].filter((file) => !open.includes(file));
  return [await Promise.all(others), await stampsOf(closed)];
}

function shortPlace({ label, location }: HotspotItem): string {
  return location === null ? label : `${fileNameOf(pathOfUri(location.uri) ?? '')}:${location.line + 1}`;
}

/** With what a re-check measured of its current code, or that this is not what was recorded. */
async function headlineNow(session: Session, summary: Summary, changes: Changes): Promise<Summary['headline']> {
  const { headline, opensAt, recording } = summary;
  if (headline === null || opensAt === null) return headline;
  const change = changes.get(opensAt);
  if (change?.type === 'done') return { ...headline, now: change.text };
  const { path: file } = await session.recordings.ask(recording, 'codeBelow', opensAt);
  const isStale = file !== null && (await staleFunctions(session, recording, file)).has(opensAt);
  return isStale ? { ...headline, now: `was ${timeText(headline)}` } : headline;
}
