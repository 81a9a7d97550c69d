type Attributes = Readonly<Record<string, string>>;

/** Makes an element. Children that are strings become text, never HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

export function svgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Node[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function filled<Made extends Element>(made: Made, attributes: Attributes, children: readonly (Node | string)[]): Made {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** The nearest matching element at the target of an event or above it; null where there is none. */
export function closest(event: Event, selector: string): HTMLElement | SVGElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement | SVGElement>(selector) : null;
}

/** Sets a text. A screen reader does not announce a text again that stays the same. */
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.replaceChildren(text);
}

/** A button with a word, and an optional tooltip. */
export function textButton(label: string, onClick: () => void, title?: string): HTMLButtonElement {
  const attributes = { type: 'button', class: 'text-button', ...(title === undefined ? {} : { title }) };
  const button = element('button', attributes, label);
  button.addEventListener('click', onClick);
  return button;
}

export function setPressed(button: HTMLButtonElement, isPressed: boolean): void {
  button.setAttribute('aria-pressed', String(isPressed));
}

/** Lines on a grid of 16 × 16, in the colour of the text. */
const paths = {
  openSource: 'M6 3.5H3.5v9h9V10M9 3.5h3.5V7M12 4 7.5 8.5',
  reset: 'M3.5 8a4.5 4.5 0 1 0 1.6-3.4M5 2v3h3',
  search: 'M7 11.5a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9ZM10.3 10.3 14 14',
  icicle: 'M2.5 3.5h11M2.5 6.5h8M2.5 9.5h5M2.5 12.5h2.5',
  flame: 'M2.5 12.5h11M2.5 9.5h8M2.5 6.5h5M2.5 3.5h2.5',
  graph: 'M2.5 3.5h11v3h-11ZM2.5 6.5h6v3h-6ZM2.5 9.5H6v3H2.5Z',
  category: 'M2.5 2.5h4.5v4.5H2.5ZM9 2.5h4.5v4.5H9ZM2.5 9h4.5v4.5H2.5ZM9 9h4.5v4.5H9Z',
  around: 'M3 2.5h10M5 5h6M2.5 7h11v2.5h-11ZM5 11.5h6M6.5 13.5h3',
  operations: 'M2.5 13.5v-3M5.5 13.5v-11M8.5 13.5v-5M11.5 13.5v-8M1 13.5h14',
  functions: 'M2.5 3.5h11v9h-11ZM2.5 6.5h11M2.5 9.5h11M7 3.5v9',
  tree: 'M3 3.5h5M6 7h7M6 10h7M9 13h4.5M3.5 3.5v6.5H6M3.5 7H6M6.5 10v3H9',
  regex: 'M9.5 3v6M7 4.5l5 3M12 4.5l-5 3M3 11.5h2v2H3Z',
  more: 'M3 7.5h1.5V9H3ZM7.25 7.5h1.5V9h-1.5ZM11.5 7.5H13V9h-1.5Z',
  descending: 'M8 3v10M4.5 9.5 8 13l3.5-3.5',
  ascending: 'M8 13V3M4.5 6.5 8 3l3.5 3.5',
  tier: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8Z',
  deopt: 'M8 2v8M4.5 7 8 10.5 11.5 7M3 13.5h10',
  fold: 'M3 8h10M5.5 2.5 8 5l2.5-2.5M5.5 13.5 8 11l2.5 2.5',
  worst: 'M2.5 12.5h3v-4h-3ZM6.5 12.5h3v-9h-3ZM10.5 12.5h3V10h-3Z',
  share: 'M8 9.5v-7M5 5.2 8 2.2l3 3M4.5 7.5h-1v6h9v-6h-1',
  collapsed: 'm6 4 4 4-4 4',
  expanded: 'm4 6 4 4 4-4',
} as const;

export type IconName = keyof typeof paths;

export function icon(name: IconName): SVGSVGElement {
  const line = svgElement('path', { d: paths[name] });
  return svgElement('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' }, line);
}

/** A button with only an icon; its label is also its tooltip. */
export function toolButton(name: IconName, label: string, onClick: () => void): HTMLButtonElement {
  const attributes = { type: 'button', class: 'tool', 'aria-label': label, title: label };
  const button = element('button', attributes, icon(name));
  button.addEventListener('click', onClick);
  return button;
}

/** Buttons of which one is pressed, like VS Code's input options. */
export interface Choice<Value extends string> {
  readonly element: HTMLElement;
  readonly buttons: ReadonlyMap<Value, HTMLButtonElement>;
  /** Presses a button, and releases the others. */
  readonly select: (chosen: Value) => void;
}

export function choice<Value extends string>(
  className: string,
  label: string,
  values: readonly Value[],
  buttonOf: (value: Value) => HTMLButtonElement,
): Choice<Value> {
  const buttons = new Map(values.map((value) => [value, buttonOf(value)]));
  return {
    element: element('div', { class: className, role: 'group', 'aria-label': label }, ...buttons.values()),
    buttons,
    select: (chosen) => {
      for (const [value, button] of buttons) setPressed(button, value === chosen);
    },
  };
}
