import type { Setup } from '../setup.ts';
import { timedBlock } from '../timed-block.ts';

const ts = { language: 'ts' } as const;
const spin = (name: string): string => timedBlock(name, ts);
const parse = (name: string): string => timedBlock(name, { ...ts, work: 'parse' });
const tsconfig = (rest: object): string =>
  JSON.stringify({
    compilerOptions: { target: 'es2022', strict: true, sourceMap: true, noCheck: true, skipLibCheck: true, ...rest },
    include: ['src'],
  });

const prisma: Setup = {
  name: 'Prisma, generated client in TypeScript, by tsx',
  project: {
    name: 'prisma',
    packages: {
      prisma: '7.10.0',
      '@prisma/client': '7.10.0',
      '@prisma/adapter-libsql': '7.10.0',
      tsx: '4.23.15',
      typescript: '5.9.3',
    },
    hasScripts: false,
    files: {
      // It wants an engine of a host of its own, which generating does not use.
      'generate.mjs': `process.env.PRISMA_SCHEMA_ENGINE_BINARY = '/bin/true';
process.argv.push('generate');
await import('./node_modules/prisma/build/index.js');
`,
      'prisma.config.ts': "export default { schema: 'schema.prisma' };\n",
      'schema.prisma': `generator client {
  provider = "prisma-client"
  output   = "src/generated"
}

datasource db {
  provider = "sqlite"
}

model Item {
  id    Int @id
  price Int
}
`,
      'tsconfig.json': tsconfig({ module: 'esnext', moduleResolution: 'bundler' }),
      'src/main.ts': `import { PrismaLibSql } from '@prisma/adapter-libsql';
import { PrismaClient } from './generated/client';
${spin('spinInComputed')}${parse('parseInQuery')}
const client = new PrismaClient({ adapter: new PrismaLibSql({ url: 'file:own.db' }) });
const shop = client.$extends({
  result: { item: { total: { needs: { price: true }, compute: ({ price }) => spinInComputed().sum + price } } },
  query: {
    item: {
      findMany({ args, query }) {
        parseInQuery();
        return query(args);
      },
    },
  },
});
await client.$executeRawUnsafe('drop table if exists Item');
await client.$executeRawUnsafe('create table Item (id integer primary key, price integer not null)');
await client.item.create({ data: { id: 1, price: 7 } });
const [item] = await shop.item.findMany();
console.log(item!.total > 0);
await client.$disconnect();
`,
    },
  },
  tool: 'prisma',
  prepare: [['node', 'generate.mjs']],
  command: ['node', 'node_modules/tsx/dist/cli.mjs', 'src/main.ts'],
  blocks: [
    { name: 'spinInComputed', file: 'src/main.ts', best: 'function' },
    { name: 'parseInQuery', file: 'src/main.ts', best: 'function' },
  ],
};

const typeorm: Setup = {
  name: 'TypeORM, entities by tsc',
  project: {
    name: 'typeorm',
    packages: {
      typeorm: '1.1.1',
      'reflect-metadata': '0.2.2',
      'sql.js': '1.16.0',
      typescript: '5.9.3',
      '@types/node': '24.10.1',
    },
    files: {
      'package.json': '{ "private": true }',
      'tsconfig.json': tsconfig({
        module: 'commonjs',
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
        outDir: 'out',
        rootDir: 'src',
      }),
      'src/item.ts': `import { AfterLoad, Column, Entity, PrimaryColumn } from 'typeorm';

enum Kind { A, B }
${spin('spinInEntity')}${parse('parseInTransformer')}
@Entity()
export class Item {
  @PrimaryColumn('int')
  id!: number;

  @Column({ type: 'int', transformer: { to: (kind: Kind) => kind, from: (kind: Kind) => parseInTransformer().sum + kind } })
  kind = Kind.B;

  total = 0;

  @AfterLoad()
  count(): void {
    this.total = spinInEntity().sum;
  }
}
`,
      'src/main.ts': `import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { Item } from './item';

async function main(): Promise<void> {
  const source = new DataSource({ type: 'sqljs', entities: [Item], synchronize: true });
  await source.initialize();
  const item = new Item();
  item.id = 1;
  await source.manager.insert(Item, item);
  const [found] = await source.manager.find(Item);
  console.log(found!.total > 0);
  await source.destroy();
}

void main();
`,
    },
  },
  tool: 'typeorm',
  prepare: [['node', 'node_modules/typescript/bin/tsc', '-p', '.']],
  command: ['node', 'out/main.js'],
  blocks: [
    { name: 'spinInEntity', file: 'src/item.ts' },
    { name: 'parseInTransformer', file: 'src/item.ts' },
  ],
};

const codegen: Setup = {
  name: 'GraphQL code generator, codegen.ts and own plugin',
  project: {
    name: 'graphql-codegen',
    packages: { '@graphql-codegen/cli': '7.4.3', '@graphql-codegen/typescript': '6.1.0', graphql: '16.12.0' },
    files: {
      'package.json': '{ "private": true }',
      'schema.graphql': 'type Query { item: String }\n',
      'codegen.ts': `import type { CodegenConfig } from '@graphql-codegen/cli';
${spin('spinInConfig')}
const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: { 'out/types.ts': { plugins: ['typescript', './build/own-plugin.cjs'] } },
  hooks: { afterStart: () => { spinInConfig(); } },
};
export default config;
`,
      'build/own-plugin.cjs': `${timedBlock('parseInPlugin', { work: 'parse' })}
exports.plugin = () => \`// \${parseInPlugin().sum > 0}\`;
`,
    },
  },
  tool: '@graphql-codegen/cli',
  command: ['node', 'node_modules/@graphql-codegen/cli/cjs/bin.js', '--config', 'codegen.ts'],
  blocks: [
    { name: 'spinInConfig', file: 'codegen.ts' },
    { name: 'parseInPlugin', file: 'build/own-plugin.cjs' },
  ],
};

const plugAndPlay: readonly Setup[] = ['tsx', 'ts-node'].map((runner) => ({
  name: `Yarn PnP, TypeScript by ${runner}`,
  project: {
    name: 'yarn-pnp',
    packages: { tsx: '4.23.15', 'ts-node': '10.9.2', typescript: '5.9.3', '@types/node': '24.10.1', ms: '2.1.3' },
    yarn: '4.18.1',
    files: {
      'package.json': '{ "private": true }',
      '.yarnrc.yml': 'nodeLinker: pnp\n',
      'tsconfig.json': tsconfig({ module: 'commonjs', esModuleInterop: true, types: ['node'] }),
      'src/main.ts': `import ms from 'ms';
import { parseInModule } from './cart';

enum Kind { A, B }
${spin('spinInFunction')}
setTimeout(() => { console.log(spinInFunction().sum > Kind.B); }, ms('10ms'));
setTimeout(() => { console.log(parseInModule().sum > 0); }, ms('20ms'));
`,
      'src/cart.ts': `export enum Color { Red, Green }\n${parse('parseInModule')}\nexport { parseInModule };\n`,
    },
  },
  tool: runner,
  command: [
    'node',
    '.yarn/releases/yarn.cjs',
    runner,
    ...(runner === 'tsx' ? [] : ['--transpile-only']),
    'src/main.ts',
  ],
  blocks: [
    { name: 'spinInFunction', file: 'src/main.ts' },
    { name: 'parseInModule', file: 'src/cart.ts' },
  ],
}));

/** Generators and mappers that call own code, and packages that stay packed. */
export const generatorSetups: readonly Setup[] = [prisma, typeorm, codegen, ...plugAndPlay];
