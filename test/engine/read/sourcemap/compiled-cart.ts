import { transform } from 'esbuild';
import type { Origin } from '../../../../engine/read/sourcemap/ask-map.ts';
import { column0, line0 } from '../../../../protocol/units.ts';

export const source = `interface Cart { items: string[] }

export function total(cart: Cart): number {
  let sum = 0;
  for (const item of cart.items) {
    sum += item.length;
  }
  return sum;
}
`;

/** Files in memory: path to text. */
export const files = (texts: Record<string, string>) => (path: string) => Promise.resolve(texts[path] ?? null);
export const noFiles = files({});

/** The position of the function, as V8 has it: where its parameters begin. */
export function startOf(code: string, name: string) {
  const at = code.search(new RegExp(`\\b${name}\\(`)) + name.length;
  const before = code.slice(0, at).split('\n');
  return { line: line0(before.length - 1), column: column0(before.at(-1)?.length ?? 0), name };
}

export const compiled = (minify: boolean) =>
  transform(source, {
    loader: 'ts',
    sourcemap: true,
    sourcefile: 'cart.ts',
    minify,
    minifySyntax: false,
    format: 'esm',
    sourcesContent: true,
  });

export const totalIsAt = '/app/src/cart.ts:3 total';

/** Where a function is from, as a text: `totalIsAt` and the like. */
export function shown(origin: Origin | undefined): string {
  return origin?.type === 'original' ? `${origin.url}:${origin.line + 1} ${origin.name}` : String(origin?.type);
}
