import type { CodeLens, CodeLensParams } from 'vscode-languageserver/node';
import { internalCommands } from '../../protocol/ids.ts';
import type { Session } from '../recordings/session.ts';
import { lensTitle } from '../texts/lens-title.ts';
import { placedFile } from './file-marks.ts';

/** Over each hot function its figures, which lead to its flamegraph, and `more…`. */
export async function codeLenses(session: Session, { textDocument }: CodeLensParams): Promise<CodeLens[]> {
  const summary = session.recordings.annotated?.summary;
  if (summary === undefined || !session.display.codeLens) return [];
  const file = await placedFile(session, textDocument.uri);
  if (file === null) return [];
  return file.functions.flatMap((fn): readonly CodeLens[] => {
    const position = { line: fn.place.line, character: 0 };
    const range = { start: position, end: position };
    const reference = { recording: summary.recording, functionId: fn.item.functionId };
    const title = lensTitle(fn, file.lines, session.display.metric, summary.thresholdUs);
    return [
      { range, command: { title, command: internalCommands.openFunction, arguments: [reference] } },
      { range, command: { title: 'more…', command: internalCommands.moreActions, arguments: [reference] } },
    ];
  });
}
