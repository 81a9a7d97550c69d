import { connect } from './messages.ts';
import { Page } from './page.ts';
import { initialState, keptState, type PageEvent, type State } from './basics/page-state.ts';
import { step } from './state.ts';
import { TakeAway } from './take-away/take-away.ts';
import './page.css';
import './toolbar.css';
import './legend.css';
import './tiers.css';
import './diff.css';
import './notice.css';
import './graph.css';
import './folded.css';
import './around.css';
import './card.css';
import './table.css';
import './time.css';
import './take-away/take-away.css';
import './themes.css';

start();

/** Wires the state to the panel and to the page. */
function start(): void {
  const host = connect((message) => {
    const told = takeAway.takeIn(message);
    if (told !== null) dispatch(told);
  });
  const takeAway = new TakeAway({ post: host.post, dispatch, state: () => current.state });
  const page = new Page(document.body, {
    dispatch,
    post: host.post,
    readAgain: () => host.post({ type: 'ready' }),
    profileAgain: () => host.post({ type: 'profileAgain' }),
    recordTiers: () => host.post({ type: 'recordTiers' }),
    openTiers: () => host.post({ type: 'openTiers' }),
    openProfile: () => host.post({ type: 'openProfile' }),
    takeAway: (form) => takeAway.take(form),
  });
  const current: { state: State } = { state: initialState(host.kept) };
  page.update(current.state);
  host.post({ type: 'ready' });

  function dispatch(event: PageEvent): void {
    const { state, send } = step(current.state, event);
    current.state = state;
    for (const message of send) host.post(message);
    const kept = keptState(state);
    if (kept !== null) host.keep(kept);
    page.update(state);
    takeAway.drawn(state);
  }
}
