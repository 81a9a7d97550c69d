import path from 'node:path';
import { type Literal, type LiteralObject, literalBehind, objectIn } from '../packages/literals.ts';
import type { Readers } from '../packages/readers.ts';
import {
  type TestProject,
  anyOf,
  matchesAny,
  projectsListed,
  readConfiguration,
  unknownProject,
  valuesOf,
} from './test-projects.ts';
import { foldersOf, isInside } from '../packages/packages.ts';

/**
 * The projects of a Jest configuration; one where it lists none. `config` is an absolute path; null: the settings in
 * the package's manifest.
 */
export async function jestProjects(
  config: string | null,
  folder: string,
  readers: Readers,
): Promise<readonly TestProject[]> {
  const settings = await readSettings(config, folder, readers);
  if (settings === null) return [unknownProject];
  if (!settings.has('projects')) return [projectOf(settings, folder)];
  return projectsListed(
    valuesOf(settings, 'projects'),
    (pattern) => fileProjects(pattern.replace('<rootDir>', '.'), folder, readers),
    (fields) => projectOf(fields, folder),
  );
}

/** The settings of a configuration; null where the text does not show them, empty where there are none. */
async function readSettings(config: string | null, folder: string, readers: Readers): Promise<LiteralObject | null> {
  const manifest = (await readers.readText(path.join(folder, 'package.json'))) ?? '';
  if (config === null) return objectIn(literalBehind(/"jest"\s*:\s*(?=\{)/, manifest)) ?? new Map();
  const text = await readConfiguration(config, readers);
  return objectIn(literalBehind(/(?:module\.exports\s*=|export\s+default|\bconfig\b[^=\n]*=|^)\s*(?=\{)/, text));
}

async function fileProjects(pattern: string, folder: string, readers: Readers): Promise<readonly TestProject[]> {
  const isFile = /\.([cm]?[jt]s|json)$/.test(pattern);
  const folders = await foldersOf(isFile ? path.posix.dirname(pattern) : pattern, folder, readers);
  return Promise.all(
    folders.map(async (one) => {
      const name = isFile
        ? path.posix.basename(pattern)
        : ((await readers.list(one)).find((file) => file.startsWith('jest.config.')) ?? null);
      const settings = await readSettings(name === null ? null : path.join(one, name), one, readers);
      return settings === null ? unknownProject : projectOf(settings, one);
    }),
  );
}

function projectOf(settings: LiteralObject, folder: string): TestProject {
  const shown = settings.get('displayName');
  const name = objectIn(shown)?.get('name') ?? shown;
  const root = settings.get('rootDir') ?? '';
  const base = typeof root === 'string' ? path.resolve(folder, root.replace('<rootDir>', '.')) : null;
  return {
    name: typeof name === 'string' ? name : null,
    runsIn: 'Node.js',
    covers: (file) => (base === null || settings.has('...') ? null : covers(settings, base, file)),
  };
}

function covers(settings: LiteralObject, root: string, file: string): boolean | null {
  const of = (key: string): readonly Literal[] =>
    valuesOf(settings, key).map((one) => (typeof one === 'string' ? one.replace('<rootDir>/', '') : one));
  const roots = settings.has('roots') ? of('roots') : ['.'];
  if (!roots.every((one) => typeof one === 'string')) return null;
  if (!roots.some((one) => isInside(file, path.resolve(root, one.replace('<rootDir>', '.'))))) return false;
  const patterns = settings.has('testMatch') ? of('testMatch') : defaultMatch;
  const isTest = settings.has('testRegex')
    ? matchesExpression(of('testRegex'), file)
    : matchesAny(patterns, root, file);
  if (isTest !== true) return isTest;
  const isIgnored = matchesExpression(of('testPathIgnorePatterns'), file);
  return isIgnored === null ? null : !isIgnored;
}

const defaultMatch = ['**/__tests__/**/*.?([mc])[jt]s?(x)', '**/?(*.)+(spec|test).?([mc])[jt]s?(x)'];

/**
 * Whether one of the regular expressions matches the whole path; null where an expression that might match is not
 * known.
 */
function matchesExpression(sources: readonly Literal[], file: string): boolean | null {
  const answers = sources.map((source) => {
    try {
      return typeof source === 'string' ? new RegExp(source).test(file) : null;
    } catch {
      return null; // It is not a valid expression.
    }
  });
  return anyOf(answers);
}
