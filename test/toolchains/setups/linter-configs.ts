import type { Block, Setup } from '../setup.ts';
import { timedBlock } from '../timed-block.ts';

/** A spinning block in the configuration, and one that parses in the own plugin beside it. */
const blocks = (config: string, plugin: string): readonly Block[] => [
  { name: 'spinInConfig', file: config },
  { name: 'parseInPlugin', file: plugin },
];
const spin = { js: timedBlock('spinInConfig'), ts: timedBlock('spinInConfig', { language: 'ts' }) };
const parse = {
  js: timedBlock('parseInPlugin', { work: 'parse' }),
  ts: timedBlock('parseInPlugin', { work: 'parse', language: 'ts' }),
};

const postcssPlugin = (name: string, call: string): string => `{ postcssPlugin: '${name}', Once() { ${call}(); } }`;
const postcssConfig = (language: 'js' | 'ts'): string => `import { ownPlugin } from './build/own-plugin.${language}';
${spin[language]}
export default { plugins: [${postcssPlugin('config', 'spinInConfig')}, ownPlugin] };
`;
const postcssModule = (language: 'js' | 'ts'): string => `${parse[language]}
export const ownPlugin = ${postcssPlugin('own', 'parseInPlugin')};
`;

const postcss = (language: 'js' | 'ts'): Setup => ({
  name: `postcss, postcss.config.${language}`,
  project: {
    name: `postcss-${language}`,
    packages: { postcss: '8.5.33', 'postcss-cli': '12.0.0', jiti: '2.7.0' },
    files: {
      'src/page.css': 'a { color: red }\n',
      [`postcss.config.${language}`]: postcssConfig(language),
      [`build/own-plugin.${language}`]: postcssModule(language),
    },
  },
  tool: 'postcss-cli',
  command: ['node', 'node_modules/postcss-cli/index.js', 'src/page.css', '--output', 'out/page.css'],
  blocks: blocks(`postcss.config.${language}`, `build/own-plugin.${language}`),
});

const eslintRule = (call: string): string => `{ create() { return { Program() { ${call}(); } }; } }`;
const eslintConfig = (language: 'js' | 'ts'): string => `import { ownRule } from './build/own-rule.${language}';
${spin[language]}
export default [
  {
    files: ['src/*.js'],
    plugins: { own: { rules: { config: ${eslintRule('spinInConfig')}, module: ownRule } } },
    rules: { 'own/config': 'error', 'own/module': 'error' },
  },
];
`;

const eslint = (language: 'js' | 'ts'): Setup => ({
  name: `ESLint, eslint.config.${language}`,
  project: {
    name: `eslint-${language}`,
    packages: { eslint: '10.15.0', jiti: '2.7.0' },
    files: {
      'src/index.js': 'export const items = [{ id: 1 }];\n',
      [`eslint.config.${language}`]: eslintConfig(language),
      [`build/own-rule.${language}`]: `${parse[language]}\nexport const ownRule = ${eslintRule('parseInPlugin')};\n`,
    },
  },
  tool: 'eslint',
  command: ['node', 'node_modules/eslint/bin/eslint.js', 'src'],
  blocks: blocks(`eslint.config.${language}`, `build/own-rule.${language}`),
});

const babelPlugin = (call: string): string => `() => ({ visitor: { Program() { ${call}(); } } })`;
const babel: Setup = {
  name: 'Babel, babel.config.js',
  project: {
    name: 'babel',
    packages: { '@babel/core': '8.1.2', '@babel/cli': '8.1.0' },
    files: {
      'src/index.js': 'export const items = [{ id: 1 }];\n',
      'babel.config.js': `import { ownPlugin } from './build/own-plugin.js';
${spin.js}
export default { plugins: [${babelPlugin('spinInConfig')}, ownPlugin] };
`,
      'build/own-plugin.js': `${parse.js}\nexport const ownPlugin = ${babelPlugin('parseInPlugin')};\n`,
    },
  },
  tool: '@babel/core',
  command: ['node', 'node_modules/@babel/cli/bin/babel.js', 'src', '--out-dir', 'out'],
  blocks: blocks('babel.config.js', 'build/own-plugin.js'),
};

const prettierPlugin = (extension: string, call: string): string => `{
  languages: [{ name: '${extension}', parsers: ['${extension}'], extensions: ['.${extension}'] }],
  parsers: {
    '${extension}': {
      astFormat: '${extension}',
      parse(text) { ${call}(); return { text }; },
      locStart: () => 0,
      locEnd: () => 0,
    },
  },
  printers: { '${extension}': { print: (path) => path.node.text } },
}`;
const prettierConfig = (language: 'mjs' | 'ts', kind: 'js' | 'ts'): string => {
  const plugin = prettierPlugin('one', 'spinInConfig');
  return `import { ownPlugin } from './build/own-plugin.${language}';
${spin[kind]}
export default { plugins: [${kind === 'ts' ? typed(plugin) : plugin}, ownPlugin] };
`;
};
const typed = (plugin: string): string =>
  plugin.replace('parse(text)', 'parse(text: string)').replace('(path) =>', '(path: { node: { text: string } }) =>');
const prettierModule = (kind: 'js' | 'ts'): string => {
  const plugin = prettierPlugin('two', 'parseInPlugin');
  return `${parse[kind]}\nexport const ownPlugin = ${kind === 'ts' ? typed(plugin) : plugin};\n`;
};

const prettier = (language: 'mjs' | 'ts', kind: 'js' | 'ts'): Setup => ({
  name: `Prettier, prettier.config.${language}`,
  project: {
    name: `prettier-${kind}`,
    packages: { prettier: '3.10.1' },
    files: {
      'src/a.one': 'a\n',
      'src/b.two': 'b\n',
      [`prettier.config.${language}`]: prettierConfig(language, kind),
      [`build/own-plugin.${language}`]: prettierModule(kind),
    },
  },
  tool: 'prettier',
  command: ['node', 'node_modules/prettier/bin/prettier.cjs', '--check', 'src'],
  blocks: blocks(`prettier.config.${language}`, `build/own-plugin.${language}`),
});

const tailwindPlugin = (call: string): string => `plugin(({ addUtilities }) => {
  ${call}();
  addUtilities({ '.own-${call.toLowerCase()}': { color: 'red' } });
})`;
const tailwindConfig = (language: 'js' | 'ts'): string => `import plugin from 'tailwindcss/plugin';
import ownPlugin from './build/own-plugin';
${spin[language]}
export default { content: ['./src/*.html'], plugins: [${tailwindPlugin('spinInConfig')}, ownPlugin] };
`;
const tailwindFiles = (language: 'js' | 'ts'): Readonly<Record<string, string>> => ({
  'src/page.html': '<p class="own-spininconfig own-parseinplugin p-4">a</p>\n',
  [`tailwind.config.${language}`]: tailwindConfig(language),
  [`build/own-plugin.${language}`]: `import plugin from 'tailwindcss/plugin';
${parse[language]}
export default ${tailwindPlugin('parseInPlugin')};
`,
});

const tailwind3: Setup = {
  name: 'Tailwind 3, tailwind.config.ts',
  project: {
    name: 'tailwind-3',
    packages: { tailwindcss: '3.4.18' },
    files: { ...tailwindFiles('ts'), 'src/page.css': '@tailwind utilities;\n' },
  },
  tool: 'tailwindcss',
  command: ['node', 'node_modules/tailwindcss/lib/cli.js', '--input', 'src/page.css', '--output', 'out/page.css'],
  blocks: blocks('tailwind.config.ts', 'build/own-plugin.ts'),
};

const tailwind4: Setup = {
  name: 'Tailwind 4, tailwind.config.ts',
  project: {
    name: 'tailwind-4',
    packages: { tailwindcss: '4.3.5', '@tailwindcss/cli': '4.3.5' },
    files: {
      ...tailwindFiles('ts'),
      'src/page.css': '@import "tailwindcss/utilities";\n@config "../tailwind.config.ts";\n',
    },
  },
  tool: 'tailwindcss',
  command: [
    'node',
    'node_modules/@tailwindcss/cli/dist/index.mjs',
    '--input',
    'src/page.css',
    '--output',
    'out/page.css',
  ],
  blocks: blocks('tailwind.config.ts', 'build/own-plugin.ts'),
};

/** Linters, formatters and compilers of styles with a rule or plugin of the person's. */
export const linterSetups: readonly Setup[] = [
  postcss('js'),
  postcss('ts'),
  eslint('js'),
  eslint('ts'),
  babel,
  prettier('mjs', 'js'),
  prettier('ts', 'ts'),
  tailwind3,
  tailwind4,
];
