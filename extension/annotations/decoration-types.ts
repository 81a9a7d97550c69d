import {
  DecorationRangeBehavior,
  type ExtensionContext,
  OverviewRulerLane,
  type TextEditorDecorationType,
  ThemeColor,
  window,
} from 'vscode';
import { colors } from '../../protocol/ids.ts';
import { type Style, styles } from './decoration-plan.ts';

const icons = { medium: 'medium', slow: 'slow', verySlow: 'very-slow', monster: 'monster' } as const;

/** One decoration type for each style, by its key. */
export function createDecorationTypes(context: ExtensionContext): ReadonlyMap<string, TextEditorDecorationType> {
  return new Map(styles.map((style) => [style.key, createType(context, style)]));
}

function createType(context: ExtensionContext, style: Style): TextEditorDecorationType {
  const isBackground = style.tone === 'background';
  const color = new ThemeColor(isBackground ? colors.background : colors[style.class]);
  const icon = isBackground ? 'background' : icons[style.class];
  return window.createTextEditorDecorationType({
    rangeBehavior: DecorationRangeBehavior.ClosedClosed,
    overviewRulerColor: color,
    overviewRulerLane: OverviewRulerLane.Right,
    gutterIconPath: context.asAbsolutePath(`media/heat-${icon}.svg`),
    gutterIconSize: '75%',
    after: { color, margin: '0 0 0 3em', fontStyle: style.tone === 'plain' ? 'normal' : 'italic', ...dimmed(style) },
  });
}

/** Decorations have no opacity of their own: VS Code passes what follows `;` on to the style sheet. */
function dimmed({ tone }: Style): { readonly textDecoration?: string } {
  return tone === 'dim' ? { textDecoration: 'none; opacity: 0.6' } : {};
}
