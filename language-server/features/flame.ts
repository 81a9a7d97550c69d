import { diffNamed } from '../../protocol/diff.ts';
import type { FlameAnswer, FlameQuery, FlameSearch, FlameSearchAnswer } from '../../protocol/flame.ts';
import type { OfRecording } from '../../protocol/requests.ts';
import type { Timeline, TimelineQuery } from '../../protocol/time.ts';
import type { Call, Session } from '../recordings/session.ts';

/** The part of a flamegraph that can be seen: of a recording, or of both sides of a diff. */
export async function flame(
  { recordings, diffs }: Session,
  { recording, query }: OfRecording<{ readonly query: FlameQuery }>,
  { token }: Call,
): Promise<FlameAnswer> {
  const isDiff = diffNamed(recording) !== null;
  return isDiff ? diffs.ask(recording, 'flame', query, token) : recordings.ask(recording, 'flame', query, token);
}

export async function searchFrames(
  { recordings, diffs }: Session,
  { recording, search }: OfRecording<{ readonly search: FlameSearch }>,
  { token }: Call,
): Promise<FlameSearchAnswer> {
  const isDiff = diffNamed(recording) !== null;
  return isDiff ? diffs.ask(recording, 'search', search, token) : recordings.ask(recording, 'search', search, token);
}

/** The turns of a recording over time. A diff has none: its sides are of several runs. */
export async function timeline(
  { recordings }: Session,
  { recording, timeline: asked }: OfRecording<{ readonly timeline: TimelineQuery }>,
): Promise<Timeline> {
  return recordings.ask(recording, 'timeline', asked);
}
