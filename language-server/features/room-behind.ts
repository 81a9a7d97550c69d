import type { LineMark } from '../../protocol/requests.ts';
import type { Session } from '../recordings/session.ts';
import { textNow } from './placed-file.ts';

/** Whether the text of a mark is in sight behind its line. Else a lens above the line has it. */
export type HasRoom = (mark: Pick<LineMark, 'line' | 'text'>) => boolean;

/** The rule for a document in the narrowest editor that is open. */
export async function roomInEditors(session: Session, uri: string): Promise<HasRoom> {
  const { columns } = session;
  const text = columns === null ? null : await textNow(session, uri);
  return text === null || columns === null ? () => true : roomBehind(text, columns);
}

/** The rule for a text of which so many columns are in sight. */
export function roomBehind(text: string, columns: number): HasRoom {
  const lines = text.split(/\r\n?|\n/);
  return (mark) => columnsOf((lines[mark.line] ?? '').trimEnd()) + gapColumns + columnsOf(mark.text) <= columns;
}

/** The space between a line and its mark: 3 em, and a character is at least 0.55 em wide. */
const gapColumns = 6;

/** Characters of Chinese, Japanese and Korean, and emoji, are two columns wide. */
function columnsOf(text: string): number {
  const wide = text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/gu,
  );
  return text.replaceAll('\t', usualTab).length + (wide?.length ?? 0);
}

/** VS Code's own size of a tab. */
const usualTab = ' '.repeat(4);
