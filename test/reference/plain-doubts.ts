import { timeOf } from './plain-held.ts';
import type { CutTurn } from './plain-turns.ts';

/** "When a figure is an estimate" of docs/definition.md, of all operations of a measured turn. `thread`: its turns. */
export function isDoubted(cut: CutTurn, thread: readonly CutTurn[]): boolean {
  const { turn, held } = cut;
  const isRecorders = turn.own * 10 > held.held + turn.own;
  return isRecorders || lacksTime(cut) || sleptWhileBusy(cut, thread);
}

/** The thread had less than 70 % of a processor, in calls that wait or not: others had it, or no sample tells why. */
function lacksTime({ turn: { start, end, run, wait }, held: { stretches } }: CutTurn): boolean {
  const waiting = timeOf(stretches.filter(({ isWaiting }) => isWaiting));
  return wait === null && run !== null && run + waiting < 0.7 * (end - start);
}

/** Whoever it waited for may have waited, too. */
function sleptWhileBusy({ turn, held: { held, slept } }: CutTurn, thread: readonly CutTurn[]): boolean {
  return turn.wait !== null && slept > 3000 && slept * 10 > held * 3 && isBusyAround(turn, thread);
}

/** The turns that ended within a second before or after its end waited for over a tenth of their time. */
function isBusyAround({ end }: CutTurn['turn'], thread: readonly CutTurn[]): boolean {
  const around = thread.flatMap(({ turn }) => (Math.abs(turn.end - end) <= second ? [turn] : []));
  const wall = around.reduce((sum, turn) => sum + turn.end - turn.start, 0);
  const waited = around.reduce((sum, { wait }) => sum + (wait ?? 0), 0);
  return waited * 10 > wall;
}

/** In µs. */
const second = 1_000_000;
