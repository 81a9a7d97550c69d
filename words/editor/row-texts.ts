/** How a row of a list in the editor begins, and how it is read aloud. */

/**
 * Makes each figure of a list as wide as the widest, with space in front, so that their units and the names behind them
 * stand in a column. Fonts of user interfaces are proportional, but all digits have one width, a point has about half
 * of it, and `m` and a half are alike, too. U+2007 is as wide as a digit, and U+2008 as a point.
 */
export function alignedFigures(figures: readonly string[]): (figure: string) => string {
  const widest = figures.reduce((most, figure) => Math.max(most, halfDigits(figure)), 0);
  return (figure) => {
    const missing = figure === '' ? 0 : Math.max(0, widest - halfDigits(figure));
    return '\u2007'.repeat(Math.floor(missing / 2)) + '\u2008'.repeat(missing % 2) + figure;
  };
}

/** Width of a figure such as `1.84 s` in halves of a digit. */
function halfDigits(figure: string): number {
  return figure
    .split('')
    .reduce((sum, letter) => sum + (letter === 'm' ? 3 : letter === '.' || letter === ' ' ? 1 : 2), 0);
}

/** The row that holds all hotspots behind the verdict. */
export const allHotspots = { text: 'All hotspots', description: 'grouped and sorted as you choose' } as const;

/** The row of what the verdict leaves out; `left` is a sentence such as `Not shown: 24 more; seen once (3).` */
export function leftRow(left: string): { readonly text: string; readonly description: string } {
  return { text: 'Not in the verdict', description: left.replace(/^Not shown: /, '').replace(/\.$/, '') };
}

export const makeSureTooltip =
  'Runs the tests in which the uncertain findings were twice more: what is long again joins the verdict, and what is not is dropped.';

/** The label of a row: its figure and its name. */
export function rowLabel(alignedFigure: string, name: string): string {
  return alignedFigure === '' ? name : `${alignedFigure}\u2002${name}`;
}

/** A row as a sentence for those who hear it: signs become words. */
export function spokenRow(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .join(', ')
    .replaceAll(' · ', ', ')
    .replaceAll(/(?<!\d)1 ×/g, '1 time')
    .replaceAll(' × >', ' times over ')
    .replaceAll(' ×', ' times')
    .replaceAll('≈', 'about ')
    .replaceAll(/(\d)–(?=\d)/g, '$1 to ')
    .replaceAll(/ ?:(\d+)(?=,|$)/g, ' line $1');
}
