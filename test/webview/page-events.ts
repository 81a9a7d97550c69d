import assert from 'node:assert/strict';
import type { FlameQuery } from '../../protocol/flame.ts';
import { milliseconds } from '../../protocol/units.ts';
import type { HostMessage, PageState } from '../../protocol/webview.ts';
import { initialState, type PageEvent, type State } from '../../webview/basics/page-state.ts';
import { step } from '../../webview/state.ts';

/** What the extension sends when a recording is shown. */
export const show = (recording = 'a', written = '') =>
  ({
    ...{ type: 'show', recording, written, title: '', verdict: '', folders: [], thresholdUs: milliseconds(10) },
    finding: null,
    ...{ isTiers: false, isDiff: false, isSecondRun: false, startedAt: null },
  }) satisfies HostMessage;

/** The state of the page after events, and the messages that it sent. */
export function after(events: readonly PageEvent[], from: PageState | null = null) {
  const start: { state: State; sent: ReturnType<typeof step>['send'] } = { state: initialState(from), sent: [] };
  return events.reduce(({ state, sent }, event) => {
    const next = step(state, event);
    return { state: next.state, sent: [...sent, ...next.send] };
  }, start);
}

/** The last question that the page asked, which is one about frames. */
export function lastQuery(events: readonly PageEvent[], from: PageState | null = null): FlameQuery {
  const last = after(events, from).sent.at(-1);
  return last?.type === 'query' ? last.query : assert.fail(`not a question about frames: ${last?.type}`);
}

/** What `pick` has of each question about frames, in the order in which they were asked. */
export function queries<Part>(events: readonly PageEvent[], pick: (query: FlameQuery) => Part): readonly Part[] {
  return after(events).sent.flatMap((message) => (message.type === 'query' ? [pick(message.query)] : []));
}
