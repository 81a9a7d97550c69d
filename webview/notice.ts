import { element } from './dom.ts';
import type { State } from './state.ts';

/** The sentence in place of a graph: loading, failed, or nothing recorded. Failures are announced to screen readers. */
export class NoticeView {
  readonly element = element('div', { class: 'notice', role: 'status' });

  update(state: State): void {
    const text = sentence(state);
    this.element.hidden = text === null;
    this.element.classList.toggle('failed', state.notice?.kind === 'failed');
    if (this.element.textContent !== text) this.element.textContent = text;
  }
}

function sentence({ notice, answer }: State): string | null {
  if (notice?.kind === 'loading' && answer !== null) return null; // The bar over the graph says that, so nothing moves.
  if (notice !== null) return notice.text;
  if (answer !== null && answer.totalUs <= 0) {
    return 'This recording holds no samples: the program only waited, or ended at once. Profile something that runs longer.';
  }
  return null;
}
