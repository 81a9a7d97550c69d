import { isHostMessage } from '../protocol/host-guard.ts';
import { idOf, isPageState, typeOf } from '../protocol/webview-guard.ts';
import type { HostMessage, PageMessage, PageState } from '../protocol/webview.ts';

/** The page's side of the panel. */
export interface Host {
  readonly post: (message: PageMessage) => void;
  readonly keep: (state: PageState) => void;
  /** What an earlier page of this panel kept, if this version can continue from it. */
  readonly kept: PageState | null;
}

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/**
 * A message that has arrived; null for messages from others, such as a browser's extension. A broken message of ours
 * counts as a failure of the request, or of everything: otherwise the page would wait for ever.
 */
export function messageIn(data: unknown): HostMessage | null {
  if (isHostMessage(data)) return data;
  const type = typeOf(data);
  if (type === 'show') return { type: 'failed', id: null, text: notUnderstood };
  const id = idOf(data);
  const isAnswer = type === 'answer' || type === 'searchAnswer' || type === 'timelineAnswer' || type === 'failed';
  return isAnswer ? { type: 'failed', id, text: notUnderstood } : null;
}

const notUnderstood = 'Hotspan sent something that this page cannot show: close the flamegraph and open it again.';

/** Connects to the VS Code API, which can be asked for once only, and passes on what arrives from the extension. */
export function connect(onMessage: (message: HostMessage) => void): Host {
  const api = acquireVsCodeApi();
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = messageIn(data);
    if (message !== null) onMessage(message);
  });
  const kept = api.getState();
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window: the panel's own channel
    post: (message) => api.postMessage(message),
    keep: (state) => api.setState(state),
    kept: isPageState(kept) ? kept : null,
  };
}
