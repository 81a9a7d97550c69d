import type { CodeLens, CodeLensParams } from 'vscode-languageserver/node';
import { internalCommands } from '../../protocol/ids.ts';
import type { Session } from '../recordings/session.ts';
import { builtFileShort, changedSince, firstTimeFigures, lensFigures } from '../../words/formats/figures.ts';
import type { Metric } from '../../protocol/requests.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { AnnotatedFunction } from '../queries/file-annotations.ts';
import { type Placed, type PlacedLine, placedFile } from './placed-file.ts';

/** Lenses over each hot function: its figures, which lead to its flamegraph, and `more…`. */
export async function codeLenses(session: Session, { textDocument }: CodeLensParams): Promise<CodeLens[]> {
  const { summary, changes } = session.recordings.annotated ?? {};
  if (summary === undefined || !session.display.codeLens) return [];
  const file = await placedFile(session, textDocument.uri);
  if (file === null) return [];
  return file.functions.flatMap((fn): readonly CodeLens[] => {
    const position = { line: fn.place.line, character: 0 };
    const range = { start: position, end: position };
    const reference = { recording: summary.recording, functionId: fn.item.functionId };
    const title = lensTitle(fn, file.lines, session.display.metric, summary.thresholdUs);
    const change = changes?.get(fn.item.functionId);
    const again = fn.place.stale && change === undefined ? 're-check your change' : 're-check';
    return [
      { range, command: { title, command: internalCommands.openFunction, arguments: [reference] } },
      ...(change === undefined
        ? []
        : [{ range, command: { title: change, command: internalCommands.openFunction, arguments: [reference] } }]),
      { range, command: { title: again, command: internalCommands.recheck, arguments: [reference] } },
      { range, command: { title: 'more…', command: internalCommands.moreActions, arguments: [reference] } },
    ];
  });
}

/**
 * The title of a lens: the figures of the function. Where its only mark, on its first line, shows them already, the
 * title says only what a click does.
 */
export function lensTitle(
  fn: Placed<AnnotatedFunction>,
  lines: readonly PlacedLine[],
  metric: Metric,
  thresholdUs: Microseconds,
): string {
  const { item, place } = fn;
  const marked = lines.filter(({ owner }) => owner?.item === item);
  const notes = [...(item.optimized === null ? [] : [item.optimized]), ...(item.isBuilt ? [builtFileShort] : [])];
  if (metric === 'total' || item.kept || marked.every(({ line }) => line === place.line))
    return ['flamegraph', ...notes].join(' · ');
  const figures = item.firstTime === null ? lensFigures(item, thresholdUs) : firstTimeFigures(item, item.firstTime);
  return [figures, ...notes, ...(place.stale ? [changedSince] : [])].join(' · ');
}
