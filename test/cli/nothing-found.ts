import type { HotspotView } from '../../cli/views/hotspot-view.ts';
import type { ResultView } from '../../cli/views/result-view.ts';
import { line1 } from '../../protocol/units.ts';

/** A result to add to. */
export const nothingFound: ResultView = {
  found: { findings: [], left: '', makeSure: '' },
  isAll: false,
  hotspots: [],
  others: [],
  functions: [],
  blamed: [],
  shortCalls: '',
  tiersFrom: '',
  changed: '',
  eventLoop: [],
  leftOut: '',
  routes: [],
  waits: '',
  order: '',
  estimates: '',
  verdict: '',
  instead: '',
  takenFor: '',
  processes: [],
  warnings: [],
};

/** A hotspot of one line. */
export const clone: HotspotView = {
  label: 'snapshot',
  place: 'src/catalogue.js:23',
  figures: '312 ms worst · 14 × >10 ms · 3 stacks',
  class: 'verySlow',
  tone: 'plain',
  role: 'app',
  isChanged: false,
  details: [],
  lines: [{ file: null, line: line1(23), text: 'return JSON.parse(JSON.stringify(products));', figures: null }],
};
