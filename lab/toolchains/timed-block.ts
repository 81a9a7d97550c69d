/**
 * A project's file, with a block in the place of each line `//@ spin NAME`, `//@ parse NAME` or `//@ body NAME`, all with
 * the ms where they are not the usual ones. `spin` is a loop of the function's own, `parse` a built-in that it calls;
 * `body` spins as statements of the module itself.
 */
export function withBlocks(file: string, text: string): string {
  const isTyped = !/\.[cm]?js$/.test(file);
  return text.replaceAll(
    /^\/\/@ (spin|parse|body) (\w+)(?: (\d+))?$/gm,
    (_, work: string, name: string, ms?: string) => {
      // A block that parses takes twice as long as one that spins: so one is told from the other.
      const time = Number(ms ?? (work === 'parse' ? 240 : 120));
      if (work === 'body') return timedBody(name, time);
      return timedBlock(name, work === 'parse' ? 'parse' : 'spin', time, isTyped);
    },
  );
}

/**
 * A function without parameters that works on the line with `// HOT name` until it has had the processor for `ms`, and
 * notes for how long it had it in the file that `HOTSPAN_TIMES` names: on a busy machine more time goes by, which is not
 * in Hotspan's figures either. In TypeScript types stand in front of it, so that compiling moves its lines. It imports
 * nothing, so it can stand in modules of both kinds.
 */
function timedBlock(name: string, work: 'spin' | 'parse', ms: number, isTyped: boolean): string {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Sum`;
  const types = `interface ${type} {\n  readonly sum: number;\n  readonly ms: number;\n}\n\n`;
  return `${isTyped ? types : ''}function ${name}()${isTyped ? `: ${type}` : ''} {
  ${prepared[work]}
  const before = process.threadCpuUsage();
  let [sum, ms] = [0, 0];
  while (ms < ${ms}) {
    ${hot[work]} // HOT ${name}
    const { user, system } = process.threadCpuUsage(before);
    ms = (user + system) / 1000;
  }
  process.getBuiltinModule('node:fs').appendFileSync(process.env.HOTSPAN_TIMES ?? '', \`${name} \${ms}\\n\`);
  return { sum, ms };
}`;
}

/** The same as statements of a module's own body, in TypeScript. */
function timedBody(name: string, ms: number): string {
  return `interface ${name}Row {
  readonly id: number;
}

const ${name}Before = process.threadCpuUsage();
let [${name}Sum, ${name}Ms] = [0, 0];
while (${name}Ms < ${ms}) {
  for (let i = 0; i < 100_000; i += 1) ${name}Sum += Math.sqrt(i); // HOT ${name}
  const { user, system } = process.threadCpuUsage(${name}Before);
  ${name}Ms = (user + system) / 1000;
}
process
  .getBuiltinModule('node:fs')
  .appendFileSync(process.env.HOTSPAN_TIMES ?? '', \`${name} \${${name}Ms}\\n\`);
export const ${name}: ${name}Row = { id: ${name}Sum };`;
}

/** The 1-based line of the block in a file with this text. Throws where there is none. */
export function hotLine(name: string, text: string): number {
  const index = text.split('\n').findIndex((line) => line.endsWith(`// HOT ${name}`));
  if (index === -1) throw new Error(`There is no line for ${name}.`);
  return index + 1;
}

const prepared = {
  spin: 'const rounds = 100_000;',
  parse: 'const text = JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ id, name: `item ${id}` })));',
};

const hot = {
  spin: 'for (let i = 0; i < rounds; i += 1) sum += Math.sqrt(i);',
  parse: 'sum += JSON.parse(text).length;',
};
