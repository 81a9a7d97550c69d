import { type Project, projects } from '../../nightly/lines-truth/forced-program.ts';

/** One way from TypeScript to a running program. */
export interface Toolchain {
  readonly name: string;
  /** What it can compile. */
  readonly projects: readonly Project[];
  readonly extension: '' | '.js' | '.ts';
  readonly type: 'commonjs' | 'module';
  /** Configurations, by path in the program's folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands of Node that build: a script of an installed package, and its arguments. */
  readonly build: readonly (readonly string[])[];
  /** Arguments of Node that run it. */
  readonly run: readonly string[];
}

/** Path of a script of an installed package. */
export type Bin = (script: string) => string;

/** What most toolchains have in common. */
export const common = { projects, files: {}, build: [], extension: '', type: 'commonjs' } as const;

/** A configuration for code that is loosely typed on purpose: nothing is checked. */
export function tsconfig(options: object): string {
  const compilerOptions = {
    rootDir: 'src',
    outDir: 'dist',
    sourceMap: true,
    noCheck: true,
    skipLibCheck: true,
    downlevelIteration: true,
    experimentalDecorators: true,
    useDefineForClassFields: true,
    jsx: 'react',
    jsxFactory: 'h',
    types: [],
    lib: ['esnext'],
    ...options,
  };
  return JSON.stringify({ compilerOptions, include: ['src'] });
}
