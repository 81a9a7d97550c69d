/** A spin in each of the marked lines, each in a turn of its own; the program says how long each took. */
export const program = `import { spin as whirl } from 'dep';
import { createRequire } from 'node:module';

interface Timed { readonly [name: string]: number }

const took: Record<string, number> = {};
const now = (): number => performance.now();

/* A comment that no build keeps,
   so that lines differ. */
function looped(end: number): number {
  let turns = 0;
  while (performance.now() < end) turns += 1; // @looped
  return turns;
}

class Catalogue<Item extends object> {
  readonly items: Item[] = [];

  callsDependency(ms: number): void {
    this.items.length = 0;
    whirl(ms); // @dependency
  }

  onEach(ms: number): void {
    [1, 2].forEach((_: number) => {
      whirl(ms / 2); // @each
    });
  }
}

function clones(end: number): unknown {
  const big = Array.from({ length: 2000 }, (_, id) => ({ id, name: 'n' + id }));
  let copy: unknown = null;
  do {
    copy = JSON.parse(JSON.stringify(big)); // @clones
  } while (performance.now() < end);
  return copy;
}

const arrow = (ms: number): Timed => {
  const before = now();
  whirl(ms); // @arrow
  return { arrow: now() - before };
};

const catalogue = new Catalogue<{ id: number }>();
const works: [string, () => unknown][] = [
  ['looped', () => looped(now() + 80)],
  ['dependency', () => catalogue.callsDependency(60)],
  ['each', () => catalogue.onEach(70)],
  ['clones', () => clones(now() + 90)],
  ['arrow', () => arrow(50)],
];
function next(): void {
  const work = works.shift();
  if (work === undefined) return console.log(JSON.stringify(took));
  const before = now();
  work[1]();
  took[work[0]] = now() - before;
  setTimeout(next, 20);
}
setTimeout(next, 50);
export { createRequire };
`;

export const dependency =
  'export function spin(ms) { const end = performance.now() + ms; while (performance.now() < end); }\n';

/** The program without its types, at the same lines. */
export function stripped(): string {
  const typed = [
    /^interface .*$/m,
    /: Record<string, number>/,
    /: \[string.*\]\[\](?= =)/,
    /<Item extends object>/,
    /: Item\[\]/,
    /<\{ id: number \}>/,
    /readonly /,
    /: unknown(?= =)/,
  ];
  const text = typed.reduce((code, type) => code.replace(type, ''), program);
  return text.replaceAll(/: (?:number|void|unknown|Timed)(?=[,);]| \{| =>)/g, '');
}
