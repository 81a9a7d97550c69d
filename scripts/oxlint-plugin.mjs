// Rules of docs/architecture.md that oxlint does not have.
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

function targetOf(file, specifier) {
  return /^\.\.?\//.test(specifier)
    ? { path: fromRoot(path.join(path.dirname(file), specifier)) }
    : { name: specifier };
}

function fromRoot(file) {
  return path.relative(root, file).split(path.sep).join('/');
}

export default { meta: { name: 'hotspan' }, rules: { 'no-module-let': noModuleLet, rooms } };
