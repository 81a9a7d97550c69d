import {
  type FlameAnswer,
  type FlameFrame,
  type FrameCategory,
  type FrameTiers,
  type TiersAnswer,
  frameCategories,
  tierOf,
} from '../../protocol/flame.ts';
import { type Microseconds, line1, microseconds } from '../../protocol/units.ts';
import { type V8Tier, v8Tiers } from '../../protocol/v8-tiers.ts';

/**
 * A flamegraph drawn as text: one frame a line, two spaces a level, `name self-ms category [url:line] [tier[+inlined]]
 * [folded]`.
 * The root is not drawn. Where any frame has a tier, the answer has tiers.
 */
export function drawnFlame(drawing: string): FlameAnswer {
  const lines = drawing.split('\n').filter((line) => line.trim() !== '');
  const margin = Math.min(...lines.map(indentOf));
  const drawn = lines.map((line) => ({ level: (indentOf(line) - margin) / 2, words: line.trim().split(/\s+/) }));
  const root = frameOf('', '', [], childrenOf(drawn, 0, ''));
  const isTiered = all(root).some(({ tiers }) => tiers !== undefined);
  const tiers: TiersAnswer = { type: 'recorded', selfByTier: selfByTier(root), code: [] };
  const answer = { root, zoom: '', totalUs: microseconds(root.value), selfByCategory: selfByCategory(root) };
  return isTiered ? { ...answer, tiers } : answer;
}

/** The frame with this name, wherever it is first. Throws when there is none. */
export function frameNamed({ root }: FlameAnswer, name: string): FlameFrame {
  const found = all(root).find((frame) => frame.name === name);
  if (found === undefined) throw new Error(`No frame is named ${name}`);
  return found;
}

/** What the server answers when a frame is zoomed: the way to it as one line, and what is below it. */
export function zoomedTo(answer: FlameAnswer, zoom: string): FlameAnswer {
  const cut = (frame: FlameFrame): FlameFrame => {
    const towards = frame.children.filter(({ id }) => id === zoom || zoom.startsWith(`${id}.`));
    return frame.id === zoom || towards.length === 0 ? frame : { ...frame, children: towards.map(cut) };
  };
  const zoomed = all(answer.root).find(({ id }) => id === zoom) ?? answer.root;
  return { ...answer, root: cut(answer.root), zoom: zoomed.id, selfByCategory: selfByCategory(zoomed) };
}

/** Every frame, callers first. */
function all(root: FlameFrame): readonly FlameFrame[] {
  return [root, ...root.children.flatMap(all)];
}

interface DrawnLine {
  readonly level: number;
  readonly words: readonly string[];
}

function childrenOf(lines: readonly DrawnLine[], level: number, parentId: string): readonly FlameFrame[] {
  const starts = lines.flatMap((line, index) => (line.level === level ? [index] : []));
  return starts.map((start, number) => {
    const id = parentId === '' ? String(number) : `${parentId}.${number}`;
    const below = lines.slice(start + 1, starts[number + 1] ?? lines.length);
    const [name = '', ...rest] = lines[start]?.words ?? [];
    return frameOf(id, name, rest, childrenOf(below, level + 1, id));
  });
}

function frameOf(id: string, name: string, words: readonly string[], children: readonly FlameFrame[]): FlameFrame {
  const tierWord = words.find((word) => v8Tiers.some((tier) => word.startsWith(tier)));
  const isBar = words.includes('folded');
  const [self, kind, place] = words.filter((word) => word !== tierWord && word !== 'folded');
  const selfUs = microseconds(1000 * Number(self ?? 0));
  const [, url = '', line = '0'] = /^(.*):(\d+)$/.exec(place ?? '') ?? [];
  const value = selfUs + children.reduce((sum, child) => sum + child.value, 0);
  return {
    id,
    name,
    value,
    selfUs,
    category: frameCategories.find((category) => category === kind) ?? 'program',
    functionId: name === '' || name.startsWith('(') ? -1 : idOf(name),
    url,
    line: line1(Number(line)),
    hiddenUs: microseconds(0),
    ...(isBar ? { folded: { type: 'others', frames: 12, owners: [{ name, totalUs: microseconds(value) }] } } : {}),
    ...(tierWord === undefined ? {} : { tiers: tiersOf(tierWord, microseconds(value)) }),
    children,
  };
}

/** A number that is the same for the same name. */
function idOf(name: string): number {
  return Buffer.from(name).reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 7);
}

/** All of the time in one tier. */
function tiersOf(word: string, value: Microseconds): FrameTiers {
  const us = (tier: V8Tier) => (word.startsWith(tier) ? value : microseconds(0));
  const inlined = word.endsWith('+inlined') ? value : microseconds(0);
  return { ...byTier(us), inlined, osr: microseconds(0) };
}

function selfByTier(root: FlameFrame): Readonly<Record<V8Tier, Microseconds>> {
  return byTier((wanted) =>
    microseconds(all(root).reduce((time, { tiers, selfUs }) => time + (tierOf(tiers) === wanted ? selfUs : 0), 0)),
  );
}

function byTier(us: (tier: V8Tier) => Microseconds): Readonly<Record<V8Tier, Microseconds>> {
  return {
    ignition: us('ignition'),
    sparkplug: us('sparkplug'),
    maglev: us('maglev'),
    turbofan: us('turbofan'),
    unknown: us('unknown'),
  };
}

function selfByCategory(root: FlameFrame): FlameAnswer['selfByCategory'] {
  const sum = (wanted: FrameCategory) =>
    microseconds(all(root).reduce((time, { category, selfUs }) => time + (category === wanted ? selfUs : 0), 0));
  return {
    own: sum('own'),
    test: sum('test'),
    dependency: sum('dependency'),
    runner: sum('runner'),
    node: sum('node'),
    native: sum('native'),
    gc: sum('gc'),
    program: sum('program'),
  };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
