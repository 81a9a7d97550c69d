import assert from 'node:assert/strict';
import type { Analysis } from '../../../engine/analysis.ts';
import type { FlameAnswer, FlameFrame } from '../../../protocol/flame.ts';
import { hotspotsOf } from '../../helpers/drawn-hotspots.ts';

/** What is analyzed of a drawn profile. */
export async function analysisOf(drawing: string): Promise<Analysis> {
  return (await hotspotsOf(drawing)).analysis;
}

/** Two processes that did the same. */
export function twice(analysis: Analysis): Analysis {
  const { streams, bridged } = analysis;
  return { ...analysis, streams: [...streams, ...streams], bridged: [...bridged, ...bridged] };
}

/** The frame and all below it, callers first. */
export function frames(frame: FlameFrame): readonly FlameFrame[] {
  return [frame, ...frame.children.flatMap(frames)];
}

export function frameNamed(answer: FlameAnswer, name: string): FlameFrame {
  return frames(answer.root).find((frame) => frame.name === name) ?? assert.fail(`no frame ${name}`);
}

/** One line a frame, two spaces a level: `name total self` in ms, with `+hidden` where something is left out. */
export function drawn({ root }: Pick<FlameAnswer, 'root'>): string[] {
  const ms = (time: number): string => String(time / 1000);
  const lines = ({ name, value, selfUs, hiddenUs, children }: FlameFrame, level: number): string[] => [
    `${'  '.repeat(level)}${name} ${ms(value)} ${ms(selfUs)}${hiddenUs > 0 ? ` +${ms(hiddenUs)}` : ''}`,
    ...children.flatMap((child) => lines(child, level + 1)),
  ];
  return root.children.flatMap((child) => lines(child, 0));
}
