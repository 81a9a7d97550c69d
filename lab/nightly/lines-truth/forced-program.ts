import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFile } from '../../../test/helpers/project.ts';

/** A line that is forced to be slow, in an operation of its own. */
export interface Force {
  readonly id: number;
  readonly project: Project;
  /** From 1. */
  readonly line: number;
  /** How: `call`, `JSON.parse` … */
  readonly way: string;
}

export type Project = 'ledger' | 'garden' | 'page';
export const projects: readonly Project[] = ['ledger', 'garden', 'page'];

export interface ForcedProgram {
  /** Texts by path: `src/main.ts` runs all, and writes `truth.json` into the current folder. */
  readonly files: ReadonlyMap<string, string>;
  readonly forces: readonly Force[];
}

export interface Choice {
  readonly projects: readonly Project[];
  /** What stands behind a file's name in an import. */
  readonly extension: '' | '.js' | '.ts';
  readonly type: 'commonjs' | 'module';
  /** Shifts which place is slow in which way. */
  readonly shift: number;
}

/** The projects of `test/fixtures/lines-truth`, each marked place of which can be forced to be slow. */
export function forcedProgram({ projects: chosen, extension, type, shift }: Choice): ForcedProgram {
  const forces: Force[] = [];
  const files = new Map<string, string>();
  for (const project of chosen) {
    const name = project === 'page' ? 'page.tsx' : `${project}.ts`;
    const text = readFileSync(projectFile(path.join('test/fixtures/lines-truth', name)), 'utf8');
    files.set(`src/${name}`, forcedText(text, project, forces, shift));
  }
  const imports = chosen.map((name) => `import { run as ${name} } from './${name}${extension}';\n`);
  files.set(
    'src/main.ts',
    `import { drive } from 'forced';\n${imports.join('')}export const done = drive({ ${chosen.join(', ')} });\n`,
  );
  files.set('package.json', JSON.stringify({ name: 'truth', type }));
  for (const [name, text] of driver(forces)) files.set(`node_modules/forced/${name}`, text);
  return { files, forces };
}

/** Self time in built-ins and in loops, time in callees that are called in every way: by their name, by another one, and callees without one. */
const ways: Readonly<Record<string, (id: number) => string>> = {
  call: (id) => `hit${id}()`,
  'JSON.parse': (id) => `JSON.parse(texts[${id}]!).length * 0`,
  method: (id) => `tools.hit${id}()`,
  new: (id) => `new Hit${id}().value`,
  replace: (id) => `texts[${id}]!.replace(/[13579]+,/g, '').length * 0`,
  optional: (id) => `tools?.hit${id}?.()`,
  tagged: (id) => `tag${id}\`\``,
  getter: (id) => `tools.got${id}`,
  'by name': (id) => `[0].map(map${id}).length * 0`,
  'JSON.stringify': (id) => `JSON.stringify(lists[${id}]).length * 0`,
  unnamed: (id) => `made${id}()`,
  prototype: (id) => `tools.day.add${id}()`,
  bound: (id) => `bound${id}()`,
  wrapped: (id) => `wrapped${id}()`,
  're-exported': (id) => `public${id}()`,
};

/** So that each way comes about as often as the others: it has no divisor in common with how many there are. */
const stride = 7;

/** The exports of the package that are called by an id of their own. */
const prefixes: Readonly<Record<string, string>> = {
  call: 'hit',
  new: 'Hit',
  tagged: 'tag',
  'by name': 'map',
  unnamed: 'made',
  bound: 'bound',
  wrapped: 'wrapped',
  're-exported': 'public',
};

function forcedText(text: string, project: Project, forces: Force[], shift: number): string {
  const names = Object.keys(ways);
  const body = text.split('\n').map((code, index) => {
    if (code.startsWith('import { HIT')) return code;
    return code.replaceAll(/\bHIT\b|\bSPIN\b/g, (marker) => {
      const id = forces.length;
      const way = marker === 'SPIN' ? 'loop' : (names[(id * stride + shift) % names.length] ?? '');
      forces.push({ id, project, line: index + 1, way });
      return ways[way]?.(id) ?? loop(id);
    });
  });
  const forced = body.join('\n');
  const own = new RegExp(
    `\\b(?:${Object.values(prefixes).join('|')})\\d+\\b|\\b(?:tools|texts|lists|rounds|churn)\\b`,
    'g',
  );
  const imported = new Set(forced.match(own));
  for (const [method] of forced.matchAll(/(?<=\.)hit\d+/g)) imported.delete(method);
  return forced.replace(/^import \{ HIT.*$/m, `import { ${[...imported].join(', ')} } from 'forced';`);
}

function loop(id: number): string {
  return `for (let left = rounds[${id}]!; left > 0; left -= 1) churn.sum = Math.imul(churn.sum, 31) + left`;
}

/** The package that is slow where it is told to be, as CommonJS and as ES module of one state. */
function driver(forces: readonly Force[]): ReadonlyMap<string, string> {
  const names = forces.flatMap(({ id, way }) => {
    const prefix = prefixes[way];
    return prefix === undefined ? [] : [{ name: `${prefix}${id}`, inside: insideName(prefix, id) }];
  });
  const state = ['tools', 'texts', 'lists', 'rounds', 'churn', 'drive'];
  const exported = [...names.map(({ name }) => name), ...state];
  const assigned = [...names.map(({ name, inside }) => `${name}: ${inside}`), ...state];
  const listed = [...names.map(({ name, inside }) => `${inside} as ${name}`), ...state];
  const exportsOf = { require: './index.cjs', import: './index.mjs' };
  return new Map([
    ['package.json', JSON.stringify({ name: 'forced', version: '1.0.0', main: './index.cjs', exports: exportsOf })],
    ['index.cjs', `${commonText(forces)}Object.assign(exports, { ${assigned.join(', ')} });\n`],
    ['index.mjs', `${commonText(forces)}export { ${listed.join(', ')} };\n`],
    ['index.d.ts', exported.map((name) => `export const ${name}: any;\n`).join('')],
  ]);
}

/** What is exported under another name than it has in the package. */
function insideName(prefix: string, id: number): string {
  return prefix === 'public' ? `internal${id}` : `${prefix}${id}`;
}

function commonText(forces: readonly Force[]): string {
  const functions = forces.flatMap(({ id, way }) => definitions[way]?.(id) ?? []);
  return `const tools = { day: new (class Day {})() };
const createAdder = (id) => function () { return spin(id); };
const wrap = (run) => (...args) => run(...args);
${functions.join('\n')}
const turns = [${forces.map(({ id }) => `function turn${id}(run) { return run(); }`).join(', ')}];
const plan = ${JSON.stringify(forces.map(({ project, way }) => [project, way]))};
const texts = plan.map(() => '');
const lists = plan.map(() => []);
const rounds = plan.map(() => 0);
${machinery}`;
}

/** The package's side of each way. */
const definitions: Readonly<Record<string, (id: number) => string>> = {
  call: (id) => `function hit${id}() { return spin(${id}); }`,
  new: (id) => `class Hit${id} { constructor() { this.value = spin(${id}); } }`,
  tagged: (id) => `function tag${id}() { return spin(${id}); }`,
  'by name': (id) => `function map${id}() { return spin(${id}); }`,
  getter: (id) => `tools.__proto__ = { __proto__: tools.__proto__, get got${id}() { return spin(${id}); } };`,
  method: (id) => `tools.hit${id} = function () { return spin(${id}); };`,
  optional: (id) => `tools.hit${id} = function () { return spin(${id}); };`,
  unnamed: (id) => `const made${id} = createAdder(${id});`,
  prototype: (id) => `tools.day.constructor.prototype.add${id} = createAdder(${id});`,
  bound: (id) => `const bound${id} = function work${id}() { return spin(${id}); }.bind(tools);`,
  wrapped: (id) => `const wrapped${id} = wrap(function inner${id}() { return spin(${id}); });`,
  're-exported': (id) => `function internal${id}() { return spin(${id}); }`,
};

/**
 * One turn of the event loop for each force, under a function of its own: V8 counts lines by stack, not by time, so
 * two slow lines of one function stay apart only in stacks of their own. `truth.json` is a list of [id, start, end], in µs of the profiler's clock.
 */
const machinery = `
for (let id = 0; id < plan.length; id += 1) texts[id] = '[]';
const bigList = Array.from({ length: 1500000 }, (_, id) => id);
const bigText = JSON.stringify(bigList);
const churn = { sum: 1 };
let active = -1;
function spin(id) {
  if (active !== id) return 0;
  active = -1;
  const end = performance.now() + 25;
  while (performance.now() < end);
  return 0;
}
function force(id, way) {
  active = id;
  if (way === 'JSON.parse' || way === 'replace') texts[id] = bigText;
  if (way === 'JSON.stringify') lists[id] = bigList;
  if (way === 'loop') rounds[id] = 4000000;
}
function release(id) {
  active = -1;
  texts[id] = '[]';
  lists[id] = [];
  rounds[id] = 0;
}
async function drive(projects) {
  const truth = [];
  for (let round = 0; round < 3; round += 1) for (const run of Object.values(projects)) await run();
  for (const [id, [project, way]] of plan.entries()) {
    await new Promise((resolve) => setTimeout(resolve, 3));
    force(id, way);
    const start = Number(process.hrtime.bigint() / 1000n);
    await turns[id](projects[project]);
    truth.push([id, start, Number(process.hrtime.bigint() / 1000n)]);
    release(id);
  }
  process.getBuiltinModule('node:fs').writeFileSync('truth.json', JSON.stringify(truth));
}
`;
