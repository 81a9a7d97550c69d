import type { PlainNode, PlainProfile } from '../../lab/reference/plain-profile.ts';

/** Profiles drawn as text: one column a sample, the caller above its callee, `.` where a stack has ended. */

/**
 * The JSON of a `.cpuprofile`. Samples last 1 ms each, or what a first row beginning with `ms` says. Frames:
 * - `parse`, `cart.ts#parse`: the person's own, in `/app/src/`
 * - `test#case`: in a test file of theirs
 * - `bcryptjs#hash`, `@jest/transform#run`: of a package; `vite/dist/x.js#run` in that file of it
 * - `node:fs#read`, `native#now`: of Node, of no file
 * - `recorder#rotate`: of Hotspan's recorder
 * - `cart.ts#<module>`: the body of a module; `cart.ts#Object.<anonymous>` as CommonJS wraps it
 * - `(gc)`, `(idle)`, `(program)`, `(root)`
 */
export function drawProfile(drawing: string): DrawnProfile {
  const rows = drawing
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter((row) => row[0] !== '');
  const times = rows[0]?.[0] === 'ms' ? rows.shift()?.slice(1).map(Number) : undefined;
  const columns = Array.from({ length: rows[0]?.length ?? 0 }, (_, column) => rows.map((row) => row[column] ?? '.'));
  const stacks = columns.map((stack) => stack.filter((frame) => frame !== '.'));
  return profileOf(stacks, times);
}

/** When the first drawn sample is taken, in µs: after the profiler's own start-up, which belongs to nobody. */
export const drawnStart = 2_050_000;

export interface DrawnProfile extends PlainProfile {
  readonly nodes: readonly DrawnNode[];
}

export interface DrawnNode extends PlainNode {
  readonly hitCount: number;
  readonly children: number[];
}

/** Stacks outermost first; how long each lasts, in ms: 1 where nothing is said. */
export function profileOf(
  stacks: readonly (readonly string[])[],
  durations: readonly number[] = stacks.map(() => 1),
): DrawnProfile {
  const nodes: DrawnNode[] = [{ ...nodeOf('(root)', 1), hitCount: 0 }];
  const samples = stacks.map((stack) => leafOf(stack, nodes)?.id ?? 1);
  const ends = durations.map((duration) => Math.round(duration * 1000));
  return {
    nodes,
    startTime: 2_000_000,
    endTime: drawnStart + ends.reduce((sum, duration) => sum + duration, 0),
    samples,
    timeDeltas: samples.map((_, index) => (index === 0 ? 50_000 : (ends[index - 1] ?? 0))),
  };
}

/** The node of a stack; those that are missing are added to `nodes`, whose first is the root. */
function leafOf(stack: readonly string[], nodes: DrawnNode[]): DrawnNode | undefined {
  return stack.reduce<DrawnNode | undefined>((above, frame) => {
    if (frame === '(root)' || above === undefined) return above;
    const { callFrame } = nodeOf(frame, 0);
    const found = nodes.find((node) => above.children.includes(node.id) && sameFrame(node.callFrame, callFrame));
    if (found !== undefined) return found;
    const made = nodeOf(frame, nodes.length * 3 + 1);
    nodes.push(made);
    above.children.push(made.id);
    return made;
  }, nodes[0]);
}

function nodeOf(frame: string, id: number): DrawnNode {
  return { id, callFrame: callFrameOf(frame), hitCount: 1, children: [] };
}

export function callFrameOf(frame: string): DrawnNode['callFrame'] {
  const metaName = frame === '(gc)' ? '(garbage collector)' : frame;
  if (frame.startsWith('(')) return place(metaName, '', -1, -1);
  const [where, name] = frame.includes('#') ? splitFrame(frame) : ['app.ts', frame];
  if (where === 'native') return place(name, '', -1, -1);
  const url = urlOf(where);
  if (name === '<module>') return place('', url, 0, 0);
  return place(name, url, name === 'Object.<anonymous>' ? 0 : lineOf(name), 9);
}

function place(functionName: string, url: string, lineNumber: number, columnNumber: number): DrawnNode['callFrame'] {
  return { functionName, scriptId: '0', url, lineNumber, columnNumber };
}

function splitFrame(frame: string): readonly [string, string] {
  const at = frame.indexOf('#');
  return [frame.slice(0, at), frame.slice(at + 1)];
}

function urlOf(where: string): string {
  if (/^(?:node:|ext:|file:|\[)/.test(where)) return where;
  if (where === 'recorder') return 'file:///home/cache/hotspan/node_modules/hotspan/recorder-0123456789ab.cjs';
  if (where === 'test') return 'file:///app/test/app.test.ts';
  if (/^[^/]+\.[jt]s$/.test(where)) return `file:///app/src/${where}`;
  return `file:///app/node_modules/${/\.[cm]?js$/.test(where) ? where : `${where}/index.js`}`;
}

/** Line of a function, from 0: the same for the same name, and never the first line. */
function lineOf(name: string): number {
  return 1 + name.split('').reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7);
}

function sameFrame(a: DrawnNode['callFrame'], b: DrawnNode['callFrame']): boolean {
  return a.functionName === b.functionName && a.url === b.url && a.lineNumber === b.lineNumber;
}
