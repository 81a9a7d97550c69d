import type { ExpectedFunction } from './setup.ts';

/** Each is a module with one function, and a test of it. */
const names = ['a', 'b', 'c'];
/** A quarter of a second: so much that it is sampled on a busy machine too, where the sampler waits 0.1 s at times. */
const work = 200;
export type Flavour = 'cjs' | 'esm' | 'ts';

/** `src/a.js`, `src/b.js` …, or `.ts` with types in front, so that lines move when it is compiled. */
export function sources(flavour: Flavour): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [`src/${name}.${extension(flavour)}`, source(name, flavour)]));
}

/** One test file for each, whose test is `body` with `call` in it. */
export function testFiles(
  folder: string,
  flavour: Flavour,
  text: (name: string, call: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name) => [
      `${folder}/${name}.test.${extension(flavour)}`,
      `${importOf(name, flavour)}\n${text(name, `${busyName(name)}(${work})`)}\n`,
    ]),
  );
}

/** A program that calls each of them. */
export function callAll(flavour: Flavour): string {
  return names
    .map((name) => `${importOf(name, flavour).replace('../src', './src')}\n${busyName(name)}(${work});\n`)
    .join('');
}

export function expected(flavour: Flavour): readonly ExpectedFunction[] {
  return names.map((name) => ({
    name: busyName(name),
    file: `/src/${name}.${extension(flavour)}`,
    line: flavour === 'ts' ? 6 : 2,
  }));
}

function source(name: string, flavour: Flavour): string {
  const types = flavour === 'ts' ? 'interface Unused {\n  readonly a: number;\n}\nexport type Ms = number;\n' : '';
  const head = flavour === 'cjs' ? `exports.${busyName(name)} =` : 'export';
  const parameter = flavour === 'ts' ? 'ms: Ms, unused?: Unused' : 'ms';
  return `${types}// ${name}
${head} function ${busyName(name)}(${parameter}) {
  let sum = 0;
  for (let i = 0; i < ms * 5e5; i += 1) sum += i % 7;
  return sum;
}
`;
}

function importOf(name: string, flavour: Flavour): string {
  const file = `'../src/${name}.${extension(flavour)}'`;
  const binding = `{ ${busyName(name)} }`;
  return flavour === 'cjs' ? `const ${binding} = require(${file});` : `import ${binding} from ${file};`;
}

function extension(flavour: Flavour): string {
  return { cjs: 'js', esm: 'mjs', ts: 'ts' }[flavour];
}

function busyName(name: string): string {
  return `busy${name.toUpperCase()}`;
}
