import type { TakenForm } from '../../protocol/webview.ts';
import type { State } from '../basics/page-state.ts';

/** What is to be taken away as soon as all is drawn that was asked for. */
export interface AwaitedForm {
  readonly form: TakenForm;
  /** What was chosen when it was asked for. */
  readonly of: State['choices'];
}

/**
 * What to do with forms in a state that is drawn: `wait` for more frames; `take` them; `drop` them, because nothing came,
 * which the page says itself; `goneOn`: something else is shown by now.
 */
export function afterDrawing(
  forms: readonly AwaitedForm[],
  { awaited, notice, choices }: Pick<State, 'awaited' | 'notice' | 'choices'>,
): 'wait' | 'take' | 'drop' | 'goneOn' {
  if (awaited.query !== null) return 'wait';
  if (notice?.kind === 'failed') return 'drop';
  return forms.every(({ of }) => placeOf(of) === placeOf(choices)) ? 'take' : 'goneOn';
}

/** What the frames were awaited for. */
function placeOf({ recording, view, operation, zoom, part }: State['choices']): string {
  return JSON.stringify([recording, view, operation, zoom, part]);
}
