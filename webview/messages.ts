import { isHostMessage, isPageState } from '../protocol/webview-guard.ts';
import type { HostMessage, PageMessage, PageState } from '../protocol/webview.ts';

/** The page's side of the panel. */
export interface Host {
  readonly post: (message: PageMessage) => void;
  readonly keep: (state: PageState) => void;
  /** What an earlier page of this panel kept, if this version can go on from it. */
  readonly kept: PageState | null;
}

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** Takes the VS Code API, which can be had once only, and hands on what arrives from the extension and is sound. */
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
