import { runInNewContext } from 'node:vm';
import type { RegexTest } from '../../show/flame/find-frames.ts';

/** Most time that one regular expression may take, in ms. */
const mostTime = 250;

/**
 * Tests texts with a regular expression that a person is typing. V8 ends it after a quarter of a second: an expression
 * such as `(a+)+$` would otherwise take longer than anybody lives.
 */
export const testRegex: RegexTest = (pattern, texts) => {
  try {
    const expression = new RegExp(pattern, 'im');
    const found: unknown = runInNewContext(
      'texts.map((text) => expression.test(text))',
      { texts, expression },
      { timeout: mostTime },
    );
    return texts.map((_, index) => Array.isArray(found) && found[index] === true);
  } catch (error) {
    if (error instanceof SyntaxError) return { type: 'wrong', message: reasonIn(error) };
    return { type: 'slow' };
  }
};

/** The reason in a message such as `Invalid regular expression: /(/im: Unterminated group`. */
function reasonIn({ message }: SyntaxError): string {
  return /: ([^:]+)$/.exec(message)?.[1] ?? message;
}
