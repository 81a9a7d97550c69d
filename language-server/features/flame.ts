import type { FlameAnswer, FlameQuery, FlameSearch, FlameSearchAnswer } from '../../protocol/flame.ts';
import type { OfRecording } from '../../protocol/requests.ts';
import type { Session } from '../recordings/session.ts';

export async function flame(
  { recordings }: Session,
  params: OfRecording<{ readonly query: FlameQuery }>,
): Promise<FlameAnswer> {
  return recordings.ask(params.recording, 'flame', params.query);
}

export async function search(
  { recordings }: Session,
  params: OfRecording<{ readonly search: FlameSearch }>,
): Promise<FlameSearchAnswer> {
  return recordings.ask(params.recording, 'search', params.search);
}
