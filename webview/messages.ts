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

/**
 * Whether a message is from the extension, and not from a browser's extension that posts to every window. The host and the
 * page are one package, so the type is enough.
 */
export function isHostMessage(data: unknown): data is HostMessage {
  return Object.hasOwn(hostTypes, typeOf(data) ?? '');
}

/** All types, so that a new one cannot be forgotten here. */
const hostTypes: Readonly<Record<HostMessage['type'], true>> = {
  loading: true,
  show: true,
  refresh: true,
  answer: true,
  searchAnswer: true,
  timelineAnswer: true,
  failed: true,
  focus: true,
  showOperation: true,
  note: true,
  takeAway: true,
};

/** Connects to the VS Code API, which can be asked for once only, and passes on what arrives from the extension. */
export function connect(onMessage: (message: HostMessage) => void): Host {
  const api = acquireVsCodeApi();
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isHostMessage(data)) onMessage(data);
  });
  const kept = api.getState();
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window: the panel's own channel
    post: (message) => api.postMessage(message),
    keep: (state) => api.setState(state),
    kept: isPageState(kept) ? kept : null,
  };
}
