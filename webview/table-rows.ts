import type { FlameFrame } from '../protocol/flame.ts';
import { closest, element } from './basics/dom.ts';
import { framePlace, hasSource } from './basics/frame-text.ts';

/** The body of a table. Tab reaches one row: the current one, which had the focus last. */
export class TableRows {
  readonly body = element('tbody');
  /** Id of the current row. */
  current = '';

  constructor() {
    this.body.addEventListener('focusin', (event) => this.setCurrent(rowIdAt(event) ?? this.current));
  }

  get hasFocus(): boolean {
    return this.body.contains(document.activeElement);
  }

  setCurrent(id: string): void {
    this.row()?.setAttribute('tabindex', '-1');
    this.current = id;
    this.row()?.setAttribute('tabindex', '0');
  }

  row(id: string = this.current): HTMLElement | null {
    return this.body.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"]`);
  }

  clear(): void {
    this.body.replaceChildren();
  }
}

/** Id of the row at an event; null where there is none. */
export function rowIdAt(event: Event): string | null {
  return closest(event, 'tr')?.dataset['id'] ?? null;
}

/** Whether a click opens the source of its row. */
export function opensSource(event: MouseEvent): boolean {
  return closest(event, '.row-source') !== null || event.ctrlKey || event.metaKey;
}

/** The place of a frame, as a button if there is a file to open. */
export function sourceCell(frame: FlameFrame, folders: readonly string[]): HTMLElement {
  const place = framePlace(frame, folders);
  const path = element('span', {}, place);
  const source = hasSource(frame)
    ? element('button', { type: 'button', class: 'path row-source', tabindex: '-1', title: place }, path)
    : element('span', { class: 'path muted', title: place }, path);
  return element('td', {}, source);
}
