import { milliseconds } from '../../protocol/units.ts';
import type { HostMessage, PageState } from '../../protocol/webview.ts';
import { initialState, type PageEvent, type State } from '../../webview/basics/page-state.ts';
import { step } from '../../webview/state.ts';

/** What the extension sends when a recording is shown. */
export const show = (recording = 'a') =>
  ({
    ...{ type: 'show', recording, title: '', verdict: '', folders: [], thresholdUs: milliseconds(10) },
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
