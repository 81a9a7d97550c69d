import { type CodeMap, mapCode } from '../../language-server/placement/code-map.ts';
import { codeText } from '../../protocol/code-text.ts';

/** How a text of TypeScript became another one; without that, it is unchanged. */
export function mapOf(before: string, now = before): CodeMap {
  return mapCode(codeText(before, 'a.ts'), codeText(now, 'a.ts'));
}
