import type { ResultView } from '../../cli/views/result-view.ts';

/** A result to add to. */
export const nothingFound: ResultView = {
  found: { findings: [], left: null },
  isAll: false,
  hotspots: [],
  functions: [],
  blamed: [],
  shortCalls: null,
  tiersFrom: null,
  changed: null,
  eventLoop: [],
  leftOut: null,
  routes: [],
  waits: null,
  order: null,
  estimates: null,
  verdict: null,
  takenFor: null,
  processes: [],
  warnings: [],
};
