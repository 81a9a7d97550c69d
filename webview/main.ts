import { isPageState } from '../protocol/webview-guard.ts';
import type { PageMessage, PageState } from '../protocol/webview.ts';
import { initialState, keptState, type PageEvent } from './basics/page-state.ts';
import { Page } from './page.ts';
import { isHostMessage, step } from './state.ts';
import { TakeAway } from './take-away/take-away.ts';
import './page.css';
import './toolbar.css';
import './colors.css';
import './graph.css';
import './table.css';
import './time.css';

declare function acquireVsCodeApi(): {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: PageState): void;
};

start();

/** Connects the state with the panel and the page. */
function start(): void {
  const api = acquireVsCodeApi(); // May be called only once.
  const kept = api.getState();
  let state = initialState(isPageState(kept) ? kept : null);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window: the panel's own channel
  const post = (message: PageMessage): void => api.postMessage(message);
  const takeAway = new TakeAway({ dispatch, post }, () => state);
  const page = new Page(document.body, { dispatch, post }, (form) => takeAway.take(form));
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = isHostMessage(data) ? takeAway.takeIn(data) : null;
    if (message !== null) dispatch(message);
  });
  page.update(state);
  post({ type: 'ready' });

  function dispatch(event: PageEvent): void {
    const { state: next, send } = step(state, event);
    state = next;
    for (const message of send) post(message);
    const keep = keptState(next);
    if (keep !== null) api.setState(keep);
    page.update(next);
    takeAway.drawn(next);
  }
}
