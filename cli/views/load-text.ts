import { duration, plural } from '../../words/formats/figures.ts';
import type { LoadFigures, RecordedLoad } from '../../protocol/recording.ts';

/**
 * Sentences such as `Load, without → with the recorder: 1 240 → 1 131 req/s, p99 18 → 21 ms.`, and what went wrong with
 * requests.
 */
export function loadSentences({ url, method, connections, baseline, recorded }: RecordedLoad): readonly string[] {
  const pair = (figure: (figures: LoadFigures) => string): string => `${figure(baseline)} → ${figure(recorded)}`;
  const figures = [
    `${pair((one) => grouped(one.requestsPerSecond))} req/s`,
    ...(['p50', 'p99'] as const).map((name) => `${name} ${pair((one) => duration(one.latencyUs[name]))}`),
  ];
  const sent = `${grouped(recorded.requests)} × ${method} ${url} over ${plural(connections, 'connection')}`;
  return [
    `Load without → with the recorder: ${figures.join(', ')} (${sent}).`,
    ...troubles(baseline, 'without the recorder'),
    ...troubles(recorded, 'with it'),
  ];
}

function troubles({ requests, errors, timeouts, non2xx }: LoadFigures, when: string): readonly string[] {
  const parts = [
    ...(non2xx > 0 ? [`${non2xx} of ${requests} answers had another status than 2xx`] : []),
    ...(errors > 0 ? [`${plural(errors, 'request')} failed, ${timeouts} of them by time-out`] : []),
  ];
  return parts.length === 0 ? [] : [`${parts.join(', and ')} ${when}: the figures are of a program that refuses work.`];
}

/** A number such as `1 240`, with one decimal below 100. */
function grouped(value: number): string {
  return value < 100 ? String(value) : String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
}
