import { positionOf, textOf } from '../../../protocol/json-value.ts';
import { boundedText } from '../../files/bounded-text.ts';
import type { ProfileFrame } from '../../samples/cpu-profile.ts';

/** Numbers call frames. Each distinct frame has one number. */
export class CallFrames {
  readonly frames: ProfileFrame[] = [];
  readonly #known = new Map<string, number>();

  add(callFrame: Readonly<Record<string, unknown>>): number {
    const found = frameOf(callFrame);
    const key = `${found.line}:${found.column}:${found.functionName}\n${found.url}`;
    const number = this.#known.get(key) ?? this.frames.push(found) - 1;
    this.#known.set(key, number);
    return number;
  }
}

function frameOf(given: Readonly<Record<string, unknown>>): ProfileFrame {
  return {
    functionName: boundedText(textOf(given['functionName'])),
    url: boundedText(textOf(given['url'])),
    line: positionOf(given['lineNumber']),
    column: positionOf(given['columnNumber']),
  };
}
