import { isPageState, typeOf } from '../protocol/webview-guard.ts';
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

/** A message of the extension; null for messages of others to this window, such as a browser's extension. */
export function messageIn(data: unknown): HostMessage | null {
  return isHostMessage(data) ? data : null;
}

const hostTypes = new Set<string>([
  'loading',
  'show',
  'refresh',
  'answer',
  'searchAnswer',
  'timelineAnswer',
  'failed',
  'focus',
  'showOperation',
  'note',
  'takeAway',
] satisfies HostMessage['type'][]);

/** The extension is of the same package, so the type is enough. It checks what the page sends: that draws names of a profile. */
function isHostMessage(data: unknown): data is HostMessage {
  const type = typeOf(data);
  return type !== null && hostTypes.has(type);
}

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
