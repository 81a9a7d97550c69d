import { milliseconds } from '../../protocol/units.ts';
import { drawnFlame } from './drawn-flame.ts';

const ms = milliseconds;

/** An operation in a list of two. */
export const row = {
  ...{ number: 3, heldUs: ms(312), estimated: false, startUs: ms(1200), endUs: ms(1540) },
  ...{ holder: 'clone', where: 'GET / · process 7', group: '' },
};

/** What the page gets that shows it, and the list. */
export const answerOfRow = {
  ...drawnFlame('main 10 own'),
  operation: { number: 3, durationUs: ms(312), estimated: false, test: null },
  operations: { rows: [row, { ...row, number: 5 }], first: 0, total: 2, note: null },
};
