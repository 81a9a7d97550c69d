export interface TimedBlockOptions {
  readonly language?: 'js' | 'ts';
  /** Without it, a block that parses takes twice as long as one that spins: so one is told from the other. */
  readonly ms?: number;
  /** What holds the loop: a loop of the function's own, or a built-in that it calls. */
  readonly work?: 'spin' | 'parse';
}

/**
 * A function without parameters that is busy for `ms` on the line with `// HOT name`, and notes what it had of the processor
 * meanwhile in the file that `HOTSPAN_TIMES` names: on a busy machine less than went by, and what Hotspan's figures are. In TypeScript types stand in front of it, so that compiling moves its lines. It imports
 * nothing, so it can stand in modules of both kinds.
 */
export function timedBlock(name: string, { language = 'js', ...rest }: TimedBlockOptions = {}): string {
  const { work = 'spin', ms = work === 'spin' ? 120 : 240 } = rest;
  const isTyped = language === 'ts';
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Sum`;
  const types = `interface ${type} {\n  readonly sum: number;\n  readonly turns: number;\n  readonly ms: number;\n}\n\n`;
  return `
${isTyped ? types : ''}function ${name}()${isTyped ? `: ${type}` : ''} {
  const start = performance.now();
  const before = process.threadCpuUsage();
  ${prepared[work]}
  let [sum, turns] = [0, 0];
  while (performance.now() - start < ${ms}) {
    ${hot[work]} // HOT ${name}
    turns += 1;
  }
  const { user, system } = process.threadCpuUsage(before);
  const ms = (user + system) / 1000;
  process.getBuiltinModule('node:fs').appendFileSync(process.env.HOTSPAN_TIMES ?? '', \`${name} \${ms}\\n\`);
  return { sum, turns, ms };
}
`;
}

/** The same as statements of a module's own body, in TypeScript. */
export function timedBody(name: string, ms = 120): string {
  return `
interface ${name}Row {
  readonly id: number;
}

const ${name}Start = performance.now();
const ${name}Before = process.threadCpuUsage();
let [${name}Sum, ${name}Turns] = [0, 0];
while (performance.now() - ${name}Start < ${ms}) {
  for (let i = 0; i < 20_000; i += 1) ${name}Sum += Math.sqrt(i); // HOT ${name}
  ${name}Turns += 1;
}
const { user: ${name}User, system: ${name}System } = process.threadCpuUsage(${name}Before);
process
  .getBuiltinModule('node:fs')
  .appendFileSync(process.env.HOTSPAN_TIMES ?? '', \`${name} \${(${name}User + ${name}System) / 1000}\\n\`);
export const ${name}: ${name}Row = { id: ${name}Sum + ${name}Turns };
`;
}

/** The 1-based line of the block in a file with this text. Throws where there is none. */
export function hotLine(name: string, text: string): number {
  const index = text.split('\n').findIndex((line) => line.endsWith(`// HOT ${name}`));
  if (index === -1) throw new Error(`There is no line for ${name}.`);
  return index + 1;
}

const prepared = {
  spin: 'const rounds = 20_000;',
  parse: 'const text = JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ id, name: `item ${id}` })));',
};

const hot = {
  spin: 'for (let i = 0; i < rounds; i += 1) sum += Math.sqrt(i);',
  parse: 'sum += JSON.parse(text).length;',
};
