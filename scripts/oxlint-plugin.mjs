// Rules of docs/architecture.md that oxlint does not have.

const noModuleLet = {
  meta: { type: 'problem', docs: { description: 'State belongs to an owner that can be disposed, not to a module.' } },
  create: (context) => ({
    'Program > VariableDeclaration[kind="let"], Program > ExportNamedDeclaration > VariableDeclaration[kind="let"]': (
      node,
    ) => context.report({ node, message: 'No module-level `let`: state belongs to an owner that can be disposed.' }),
  }),
};

export default { meta: { name: 'hotspan' }, rules: { 'no-module-let': noModuleLet } };
