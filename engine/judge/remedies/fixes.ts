import type { LineCall, LineSyntax } from '../../read/source-code/line-syntax.ts';
import type { RemedyPage } from '../../../protocol/ids.ts';

/**
 * How a remedy reads in the person's own names: lines of code, imports first, with what differs as a comment. Null where
 * the source does not tell the names for sure, or where the code around would have to be another.
 */
export function fixFor(page: RemedyPage, syntax: LineSyntax): string | null {
  const fix = fixes[page]?.(syntax) ?? null;
  return fix === null || fix.length > longestFix || fix.includes('```') ? null : fix;
}

const longestFix = 400;

type Fix = (syntax: LineSyntax) => string | null;

const fixes: Partial<Readonly<Record<RemedyPage, Fix>>> = {
  'json-clone': shallowCopy,
  'growing-copies': inPlace,
  json: givesWay,
  files: (syntax) => withoutSync(syntax, /^(?:node:)?fs$/, promisedFiles, byPromises),
  compression: (syntax) => withoutSync(syntax, /^(?:node:)?zlib$/, /Sync$/, promisified),
  'key-derivation': (syntax) => withoutSync(syntax, /^(?:node:)?crypto$/, /Sync$/, promisified),
  twins: (syntax) => withoutSync(syntax, /^(?:bcrypt|esbuild|@swc\/core)$/, /Sync$/, sameModule),
};

/** The functions of `node:fs` that do the same by a promise. Those that take a file's number have none. */
const promisedFiles =
  /^(?:access|appendFile|chmod|chown|copyFile|cp|link|lstat|mkdir|mkdtemp|readFile|readdir|readlink|realpath|rename|rm|rmdir|stat|statfs|symlink|truncate|unlink|utimes|writeFile)Sync$/;

/** A copy of what the source itself shows to be a list or an object. */
function shallowCopy({ calls, hasName }: LineSyntax): string | null {
  const parse = calls.find(({ name, receiver }) => name === 'parse' && receiver === 'JSON');
  const text = calls.find(({ name, receiver }) => name === 'stringify' && receiver === 'JSON');
  const [value] = text?.args ?? [];
  if (parse === undefined || text === undefined || value === undefined || text.args.length > 1) return null;
  if (parse.args.length > 1 || text.declaredAs === null || hasName('item')) return null;
  return text.declaredAs === 'list'
    ? `// where its items are plain objects; what lies deeper stays shared\n${parse.statementWith(`${value}.map((item) => ({ ...item }))`)}`
    : `// what lies deeper stays shared\n${parse.statementWith(`{ ...${value} }`)}`;
}

function inPlace({ growths }: LineSyntax): string | null {
  const [only, ...others] = growths;
  if (only === undefined || others.length > 0) return null;
  return `// where nobody else holds ${only.name} yet\n${only.inPlace}`;
}

/** The loop around the line lets others run in between, by time. */
function givesWay({ calls, isModule, hasName }: LineSyntax): string | null {
  const { loop = null, awaits = 'never' } = calls.find(({ receiver }) => receiver === 'JSON') ?? {};
  if (loop === null || awaits === 'never' || ['until', 'nextTurn'].some(hasName)) return null;
  const lines = [
    imported('setImmediate as nextTurn', 'node:timers/promises', isModule),
    '',
    `let until = performance.now() + 8;${asyncNote(awaits)}`,
    `for (${loop}) {`,
    '  if (performance.now() > until) {',
    '    await nextTurn(); // others run here, so nobody may change what you read',
    '    until = performance.now() + 8;',
    '  }',
    '  // …',
    '}',
  ];
  return lines.join('\n');
}

/** The call by a promise, for a function of one of the modules whose name is `names`. */
function withoutSync(syntax: LineSyntax, modules: RegExp, names: RegExp, write: Writer): string | null {
  const found = syntax.calls.filter(({ name, module }) => names.test(name) && module !== null && modules.test(module));
  const [call, ...others] = found;
  if (call === undefined || others.length > 0 || call.awaits === 'never') return null;
  const written = write(call, call.name.slice(0, -'Sync'.length), syntax);
  if (written === null) return null;
  const statement = `${call.statementWith(`await ${written.call}`)}${asyncNote(call.awaits)}`;
  return [...written.imports, ...(written.imports.length > 0 ? [''] : []), statement].join('\n');
}

type Writer = (call: LineCall, name: string, syntax: LineSyntax) => Written | null;

interface Written {
  readonly call: string;
  readonly imports: readonly string[];
}

function byPromises({ receiver, args }: LineCall, name: string, { hasName, isModule }: LineSyntax): Written | null {
  const given = args.join(', ');
  if (receiver !== null) return { call: `${receiver}.promises.${name}(${given})`, imports: [] };
  return hasName(name) ? null : { call: `${name}(${given})`, imports: [imported(name, 'node:fs/promises', isModule)] };
}

function promisified({ receiver, module, args }: LineCall, name: string, syntax: LineSyntax): Written | null {
  const { hasName, isModule } = syntax;
  if (receiver === null && hasName(name)) return null;
  const callee = receiver === null ? name : `${receiver}.${name}`;
  return {
    call: `promisify(${callee})(${args.join(', ')})`,
    imports: [
      ...(receiver === null && module !== null ? [imported(name, module, isModule)] : []),
      ...(hasName('promisify') ? [] : [imported('promisify', 'node:util', isModule)]),
    ],
  };
}

function sameModule(
  { receiver, module, args }: LineCall,
  name: string,
  { hasName, isModule }: LineSyntax,
): Written | null {
  const given = args.join(', ');
  if (receiver !== null) return { call: `${receiver}.${name}(${given})`, imports: [] };
  if (hasName(name) || module === null) return null;
  return { call: `${name}(${given})`, imports: [imported(name, module, isModule)] };
}

function imported(name: string, from: string, isModule: boolean): string {
  return isModule
    ? `import { ${name} } from '${from}';`
    : `const { ${name.replace(' as ', ': ')} } = require('${from}');`;
}

function asyncNote(awaits: LineCall['awaits']): string {
  return awaits === 'now' ? '' : ' // in an async function';
}
