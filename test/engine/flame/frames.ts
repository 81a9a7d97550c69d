import assert from 'node:assert/strict';
import type { FlameAnswer, FlameFrame } from '../../../protocol/flame.ts';

/** The frame and all below it, callers first. */
export function frames(frame: FlameFrame): readonly FlameFrame[] {
  return [frame, ...frame.children.flatMap(frames)];
}

export function frameNamed(answer: FlameAnswer, name: string): FlameFrame {
  return frames(answer.root).find((frame) => frame.name === name) ?? assert.fail(`no frame ${name}`);
}
