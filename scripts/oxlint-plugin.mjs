// Rules of docs/architecture.md that oxlint lacks.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { whyNot } from './rooms.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const noModuleLet = {
  meta: { type: 'problem', docs: { description: 'State belongs to an owner that can be disposed, not to a module.' } },
  create: (context) => ({
    'Program > VariableDeclaration[kind="let"], Program > ExportNamedDeclaration > VariableDeclaration[kind="let"]': (
      node,
    ) => context.report({ node, message: 'No module-level `let`: state belongs to an owner that can be disposed.' }),
  }),
};

const rooms = {
  meta: { type: 'problem', docs: { description: 'Imports go the way that data flows: scripts/rooms.mjs.' } },
  create: (context) => {
    const file = fromRoot(context.filename);
    const check = (source) => {
      if (typeof source?.value !== 'string') return;
      const reason = whyNot(file, targetOf(context.filename, source.value));
      if (reason !== null)
        context.report({ node: source, message: `'${source.value}' import is restricted: ${reason}.` });
    };
    return {
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      TSImportType: ({ source }) => check(source),
    };
  },
};

const wait = 'A test waits for an event, or a fake clock goes on: a busy machine is slow.';
const judge = 'A test counts work (test/helpers/count-steps.ts) or has a fixed time: a busy machine is slow.';
/** Calls and properties of a clock, each with what a test does instead. */
const clocks = new Map([
  ['setTimeout', wait],
  ['setInterval', wait],
  ['AbortSignal.timeout', wait],
  ['page.waitForTimeout', wait],
  ['Date.now', judge],
  ['performance.now', judge],
]);
/** A lower limit would fail on a busy machine. */
const MIN_LIMIT_MS = 60_000;

const noClockInTests = {
  meta: { type: 'problem', docs: { description: 'What a clock says depends on the machine. lab/nightly measures.' } },
  create: (context) => {
    const check = (node, name) => {
      if (clocks.has(name)) context.report({ node, message: `No ${name} in a test. ${clocks.get(name)}` });
    };
    return {
      CallExpression: ({ callee }) => check(callee, callee.name),
      MemberExpression: (node) => check(node, `${node.object.name}.${node.property.name}`),
      NewExpression: (node) => {
        if (node.callee.name === 'Date' && node.arguments.length === 0)
          context.report({ node, message: `No new Date() in a test. ${judge}` });
      },
      ImportSpecifier: (node) => {
        if (/^(node:)?timers(\/promises)?$/.test(node.parent.source.value)) check(node, node.imported.name);
      },
      'ObjectExpression > Property[key.name="timeout"]': ({ value }) => {
        if (value.type === 'Identifier' || (value.value > 0 && value.value < MIN_LIMIT_MS))
          context.report({ node: value, message: `No timeout below ${MIN_LIMIT_MS / 1000} s in a test. ${wait}` });
      },
    };
  },
};

const onePathSpelling = {
  meta: { type: 'problem', docs: { description: 'Windows spells a path in many ways: protocol/path-spelling.ts.' } },
  create: (context) => ({
    'CallExpression[callee.property.name="startsWith"] > TemplateLiteral.arguments'({ expressions, quasis, ...node }) {
      const [before, after] = quasis.map(({ value }) => value.cooked);
      if (expressions.length === 1 && before === '' && /^[/\\\\]$/.test(after))
        context.report({ node, message: 'No prefix of a path: pathBelow of protocol/path-spelling.ts compares.' });
    },
  }),
};

const noSpreadOfMany = {
  meta: { type: 'problem', docs: { description: 'Some 120,000 arguments overflow the stack: recordings have more.' } },
  create: (context) => ({
    'CallExpression > SpreadElement.arguments'(node) {
      const { object, property } = node.parent.callee;
      const isPush = property?.name === 'push' || property?.name === 'unshift';
      if (isPush || (object?.name === 'Math' && /^(max|min)$/.test(property?.name)))
        context.report({ node, message: 'No spread of a list that may be long: use a loop, or maxOf and minOf.' });
    },
  }),
};

function targetOf(file, specifier) {
  return /^\.\.?\//.test(specifier)
    ? { path: fromRoot(path.join(path.dirname(file), specifier)) }
    : { name: specifier };
}

function fromRoot(file) {
  return path.relative(root, file).split(path.sep).join('/');
}

export default {
  meta: { name: 'hotspan' },
  rules: {
    'no-clock-in-tests': noClockInTests,
    'no-module-let': noModuleLet,
    'no-spread-of-many': noSpreadOfMany,
    'one-path-spelling': onePathSpelling,
    rooms,
  },
};
