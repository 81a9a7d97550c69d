import {
  DecorationRangeBehavior,
  type ExtensionContext,
  OverviewRulerLane,
  type TextEditorDecorationType,
  ThemeColor,
  window,
} from 'vscode';
import { colors } from '../../protocol/ids.ts';
import type { LineMark } from '../../protocol/requests.ts';
import type { Tone } from '../../protocol/figures.ts';

/** One look of marks. Each is one decoration type, so that a file is drawn in a few batches. */
interface Style {
  readonly key: string;
  readonly class: MarkedClass;
  readonly tone: Tone;
}

type MarkedClass = 'medium' | 'slow' | 'verySlow' | 'monster';

export const styles: readonly Style[] = [
  ...(['medium', 'slow', 'verySlow', 'monster'] as const).flatMap((mark) => [style(mark, 'plain'), style(mark, 'dim')]),
  style('slow', 'background'),
];

function style(mark: MarkedClass, tone: Tone): Style {
  return { key: `${mark}-${tone}`, class: mark, tone };
}

/** The key of a mark's style. `isDimmed`: its figures are of a run before, or of code that has changed. */
export function styleOf(mark: LineMark, isDimmed: boolean): string {
  if (mark.tone === 'background') return style('slow', 'background').key;
  // A function shown by its total time may never have blocked for long: it gets the look of the lowest class.
  const shown = mark.class === 'fast' ? 'medium' : mark.class;
  return style(shown, isDimmed ? 'dim' : mark.tone).key;
}

/** One decoration type for each style, by its key. */
export function createDecorationTypes(context: ExtensionContext): ReadonlyMap<string, TextEditorDecorationType> {
  return new Map(styles.map((one) => [one.key, createType(context, one)]));
}

function createType(context: ExtensionContext, one: Style): TextEditorDecorationType {
  const isBackground = one.tone === 'background';
  const color = new ThemeColor(isBackground ? colors.background : colors[one.class]);
  const icon = isBackground ? 'background' : `${icons[one.class]}${one.tone === 'dim' ? '-dim' : ''}`;
  return window.createTextEditorDecorationType({
    // The range is the first word of the line, which the line takes with it; the text is at the end of the line.
    isWholeLine: true,
    rangeBehavior: DecorationRangeBehavior.ClosedClosed,
    overviewRulerColor: color,
    overviewRulerLane: OverviewRulerLane.Right,
    gutterIconPath: context.asAbsolutePath(`media/heat-${icon}.svg`),
    gutterIconSize: '75%',
    after: { color, margin: '0 0 0 3em', fontStyle: one.tone === 'plain' ? 'normal' : 'italic', ...dimmed(one) },
  });
}

const icons = { medium: 'medium', slow: 'slow', verySlow: 'very-slow', monster: 'monster' } as const;

/** Decorations have no opacity of their own: VS Code passes what follows `;` on to the style sheet. */
function dimmed({ tone }: Style): { readonly textDecoration?: string } {
  return tone === 'dim' ? { textDecoration: 'none; opacity: 0.6' } : {};
}
