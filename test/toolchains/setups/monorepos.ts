import type { Project, Setup } from '../setup.ts';
import { timedBlock } from '../timed-block.ts';

const ts = { language: 'ts' } as const;
const spin = (name: string): string => timedBlock(name, ts);
const parse = (name: string): string => timedBlock(name, { ...ts, work: 'parse' });

/** Two packages of a workspace, one of which uses the other, with a script each. */
const packages = {
  'packages/cart/package.json': JSON.stringify({
    name: '@shop/cart',
    version: '1.0.0',
    type: 'module',
    main: 'src/cart.ts',
    scripts: { work: 'node --no-warnings src/work.ts' },
  }),
  'packages/cart/src/cart.ts': `${spin('spinInPackage')}\nexport { spinInPackage };\n`,
  'packages/cart/src/work.ts': `import { spinInPackage } from './cart.ts';\nconsole.log(spinInPackage().sum > 0);\n`,
  'packages/shop/package.json': JSON.stringify({
    name: '@shop/shop',
    version: '1.0.0',
    type: 'module',
    scripts: { work: 'node --no-warnings src/work.ts' },
    dependencies: { '@shop/cart': '1.0.0' },
  }),
  'packages/shop/src/work.ts': `import { spinInPackage } from '../../cart/src/cart.ts';
${parse('parseInScript')}
console.log(spinInPackage().sum + parseInScript().sum > 0);
`,
};
const packageBlocks = [
  { name: 'spinInPackage', file: 'packages/cart/src/cart.ts' },
  { name: 'parseInScript', file: 'packages/shop/src/work.ts' },
];
const workspace = { private: true, name: 'shop', workspaces: ['packages/*'] };

const nxProject: Project = {
  name: 'nx',
  packages: { nx: '24.0.6' },
  files: {
    ...packages,
    'package.json': JSON.stringify(workspace),
    'nx.json': JSON.stringify({ neverConnectToCloud: true, analytics: false, tui: { enabled: false } }),
    'tools/own/package.json': JSON.stringify({ name: 'own', version: '1.0.0', executors: './executors.json' }),
    'tools/own/executors.json': JSON.stringify({
      executors: { spin: { implementation: './spin.js', schema: './schema.json' } },
    }),
    'tools/own/schema.json': JSON.stringify({ type: 'object', properties: {} }),
    'tools/own/spin.js': `${timedBlock('parseInExecutor', { work: 'parse' })}
module.exports.default = async function run() {
  return { success: parseInExecutor().sum > 0 };
};
`,
    'packages/cart/project.json': JSON.stringify({
      name: 'cart',
      targets: {
        spin: { executor: './tools/own:spin' },
        work: { executor: 'nx:run-script', options: { script: 'work' } },
      },
    }),
  },
};
const nxBin = 'node_modules/nx/dist/bin/nx.js';
const nxSetup = (name: string, words: readonly string[], blocks: Setup['blocks']): Setup => ({
  name: `Nx, ${name}`,
  project: nxProject,
  tool: 'nx',
  command: ['node', nxBin, ...words, '--skip-nx-cache', '--output-style=static'],
  blocks,
});

const lerna: Setup = {
  name: 'Lerna, scripts of packages',
  project: {
    name: 'lerna',
    packages: { lerna: '10.1.1' },
    files: {
      ...packages,
      'package.json': JSON.stringify(workspace),
      'lerna.json': JSON.stringify({ version: '1.0.0', packages: ['packages/*'] }),
      'nx.json': JSON.stringify({ neverConnectToCloud: true, analytics: false, tui: { enabled: false } }),
    },
  },
  tool: 'lerna',
  command: ['node', 'node_modules/lerna/dist/cli.js', 'run', 'work'],
  blocks: packageBlocks,
};

const angularProject: Project = {
  name: 'angular',
  packages: {
    '@angular/build': '22.2.7',
    '@angular/cli': '22.2.7',
    '@angular/common': '22.2.0',
    '@angular/compiler': '22.2.0',
    '@angular/compiler-cli': '22.2.0',
    '@angular/core': '22.2.0',
    '@angular/platform-browser': '22.2.0',
    '@angular/platform-server': '22.2.0',
    '@angular/router': '22.2.0',
    '@angular/ssr': '22.2.0',
    '@angular-devkit/architect': '0.2202.7',
    '@types/node': '24.10.1',
    jsdom: '31.0.1',
    rxjs: '7.8.2',
    tslib: '2.9.1',
    typescript: '6.0.3',
    vitest: '4.0.18',
  },
  files: {
    'angular.json': JSON.stringify({
      version: 1,
      cli: { analytics: false, cache: { enabled: false } },
      projects: {
        shop: {
          projectType: 'application',
          root: '',
          sourceRoot: 'src',
          architect: {
            build: {
              builder: '@angular/build:application',
              options: {
                browser: 'src/main.ts',
                server: 'src/main.server.ts',
                outputMode: 'static',
                tsConfig: 'tsconfig.app.json',
                index: 'src/index.html',
                sourceMap: true,
                optimization: false,
              },
            },
            test: {
              builder: '@angular/build:unit-test',
              options: { tsConfig: 'tsconfig.app.json', buildTarget: 'shop:build', watch: false },
            },
            own: { builder: './builders:own' },
          },
        },
      },
    }),
    'builders/package.json': JSON.stringify({ type: 'commonjs', builders: './builders.json' }),
    'builders/builders.json': JSON.stringify({
      builders: { own: { implementation: './own.js', schema: './schema.json' } },
    }),
    'builders/schema.json': JSON.stringify({ type: 'object', properties: {} }),
    'builders/own.js': `const { createBuilder } = require('@angular-devkit/architect');
${timedBlock('parseInBuilder', { work: 'parse' })}
exports.default = createBuilder(() => ({ success: parseInBuilder().sum > 0 }));
`,
    'tsconfig.app.json': JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        module: 'preserve',
        moduleResolution: 'bundler',
        experimentalDecorators: true,
        skipLibCheck: true,
        types: ['node', 'vitest/globals'],
        lib: ['es2022', 'dom'],
      },
      include: ['src/**/*.ts'],
    }),
    'src/index.html': '<!doctype html><html><head><base href="/"></head><body><app-root></app-root></body></html>\n',
    'src/app.ts': `import { Component } from '@angular/core';
import { parseInModule } from './cart';
${spin('spinInComponent')}
@Component({ selector: 'app-root', template: '<p>{{ total }} {{ isFull }}</p>' })
export class App {
  readonly total = spinInComponent().sum > 0;
  readonly isFull = parseInModule().sum > 0;
}
`,
    'src/cart.ts': `export enum Kind { A, B, C }\n${parse('parseInModule')}\nexport { parseInModule };\n`,
    'src/app.spec.ts': `import { TestBed } from '@angular/core/testing';
import { App } from './app';

test('renders', async () => {
  const fixture = TestBed.createComponent(App);
  await fixture.whenStable();
  expect(fixture.componentInstance.total).toBe(true);
});
`,
    'src/config.ts': `import { provideServerRendering, RenderMode, withRoutes } from '@angular/ssr';

export const config = {
  providers: [provideServerRendering(withRoutes([{ path: '**', renderMode: RenderMode.Prerender }]))],
};
`,
    'src/main.ts': `import { bootstrapApplication } from '@angular/platform-browser';
import { App } from './app';

void bootstrapApplication(App, { providers: [] });
`,
    'src/main.server.ts': `import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideRouter } from '@angular/router';
import { App } from './app';
import { config } from './config';

export default (context: BootstrapContext) =>
  bootstrapApplication(App, { providers: [provideRouter([{ path: '', children: [] }]), ...config.providers] }, context);
`,
  },
};
const angularBlocks = [
  { name: 'spinInComponent', file: 'src/app.ts' },
  { name: 'parseInModule', file: 'src/cart.ts' },
];
const angular = (name: string, words: readonly string[], blocks: Setup['blocks']): Setup => ({
  name: `Angular, ${name}`,
  project: angularProject,
  tool: '@angular/cli',
  command: ['node', 'node_modules/@angular/cli/bin/ng.js', ...words],
  blocks,
});

/** What runs the code of several packages, and builders that take own code. */
export const monorepoSetups: readonly Setup[] = [
  nxSetup('own executor', ['run', 'cart:spin'], [{ name: 'parseInExecutor', file: 'tools/own/spin.js' }]),
  nxSetup('scripts of packages', ['run-many', '-t', 'work'], packageBlocks),
  lerna,
  angular('own builder', ['run', 'shop:own'], [{ name: 'parseInBuilder', file: 'builders/own.js' }]),
  angular('build with prerendering', ['build'], angularBlocks),
  angular('test', ['test'], angularBlocks),
];
