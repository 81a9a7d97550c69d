export interface PlacedFunctions {
  /** Places of functions, lines and columns from 0; others are at `/app/src/<name>.js`, line 0. */
  readonly functions?: Readonly<
    Record<string, { readonly url?: string; readonly line?: number; readonly column?: number; readonly name?: string }>
  >;
  /** Duration of one column in ms; 10 where nothing is said. */
  readonly sampleMs?: number;
}

/**
 * The JSON of a profile that is drawn with the places of its functions: one column a sample, the caller above its callee,
 * `.` where a stack has ended. `parse:12` is `parse` while it executes its line 12. `(gc)`, `(idle)` and `(program)` stand
 * in the first row.
 */
export function placedProfile(rows: string, { functions = {}, sampleMs = 10 }: PlacedFunctions = {}): string {
  const cells = rows
    .split('\n')
    .filter((row) => row.trim() !== '')
    .map((row) => row.trim().split(/\s+/));
  const nodes = new Map<string, Node>();
  const nodeOf = (path: string, callFrame: object): Node => {
    const node = nodes.get(path) ?? { id: nodes.size + 1, callFrame, children: [], ticks: new Map<number, number>() };
    nodes.set(path, node);
    return node;
  };
  const root = nodeOf('', frameOf('(root)', functions));
  const samples = (cells[0] ?? []).map((_, column) => {
    let at = root;
    let path = '';
    const stack = cells.map((row) => row[column] ?? '.').filter((cell) => cell !== '.');
    for (const cell of stack) {
      const [name = '', line] = cell.startsWith('(') ? [cell] : cell.split(':');
      path += `/${name}`;
      const child = nodeOf(path, frameOf(name, functions));
      if (!at.children.includes(child.id)) at.children.push(child.id);
      if (cell === stack.at(-1) && line !== undefined)
        child.ticks.set(Number(line), (child.ticks.get(Number(line)) ?? 0) + 1);
      at = child;
    }
    return at.id;
  });
  return JSON.stringify({
    nodes: [...nodes.values()].map(({ ticks, ...node }) => ({
      ...node,
      hitCount: 0,
      positionTicks: [...ticks].map(([line, count]) => ({ line, ticks: count })),
    })),
    samples,
    timeDeltas: samples.map((_, index) => (index === 0 ? 0 : sampleMs * 1000)),
    startTime: 1_000_000,
    endTime: 1_000_000 + samples.length * sampleMs * 1000,
  });
}

interface Node {
  readonly id: number;
  readonly callFrame: object;
  readonly children: number[];
  readonly ticks: Map<number, number>;
}

function frameOf(name: string, functions: NonNullable<PlacedFunctions['functions']>): object {
  const isMeta = name.startsWith('(');
  const place = functions[name];
  return {
    functionName: name === '(gc)' ? '(garbage collector)' : (place?.name ?? name),
    scriptId: '1',
    url: isMeta ? '' : (place?.url ?? `/app/src/${name}.js`),
    lineNumber: isMeta ? -1 : (place?.line ?? 0),
    columnNumber: isMeta ? -1 : (place?.column ?? 9),
  };
}
