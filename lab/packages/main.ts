// `npm run packages`: publint, and the npm package in an empty project of each package manager, with real metrics
// libraries. Prints a table; a manager that cannot be had is `not run`.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { figure } from '../figure.mjs';

const root = path.join(import.meta.dirname, '../..');
const tools = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'hotspan-packages-')));
process.on('exit', () => rmSync(tools, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const dependencies = {
  'prom-client': '15.1.3',
  '@opentelemetry/api': '1.10.0',
  '@opentelemetry/sdk-metrics': '3.1.1',
};

interface Manager {
  readonly name: string;
  /** Its package in npm's registry; npm itself is the machine's. */
  readonly from?: string;
  readonly command: string;
  readonly install: readonly string[];
  /** Runs Node and the command without a `node_modules` folder. */
  readonly isRunner?: true;
}

const managers: readonly Manager[] = [
  { name: 'npm', command: 'npm', install: ['install', '--no-audit', '--no-fund', '--loglevel=error'] },
  { name: 'pnpm', from: 'pnpm@12.21.0', command: 'pnpm', install: ['install'] },
  { name: 'yarn 1', from: 'yarn@1.22.22', command: 'yarn', install: ['install', '--no-lockfile'] },
  {
    name: "yarn 4, Plug'n'Play",
    from: '@yarnpkg/cli-dist@4.18.1',
    command: 'yarn',
    install: ['install', '--no-immutable'],
    isRunner: true,
  },
  { name: 'bun', from: 'bun@1.4.5', command: 'bun', install: ['install'] },
];

/** No answer, and no failure. */
const notRun = 'not run';

const tarball = pack();
const publint = run('npm', ['exec', '--yes', '--package=publint@0.3.25', '--', 'publint', tarball, '--strict'], tools);
console.log(`publint 0.3.25: ${publint.status === 0 ? 'no warnings' : publint.output}\n`);
console.log(
  '| package manager | version | `hotspan record` | prom-client | OpenTelemetry | types |\n|---|---|---|---|---|---|',
);
const failed = managers.map(tryManager).filter((isRight) => !isRight).length + (publint.status === 0 ? 0 : 1);
figure('package managers that fail', failed);
process.exitCode = failed === 0 ? 0 : 1;

function pack(): string {
  run('npm', ['pack', '--silent', '--pack-destination', tools], root);
  const name = readdirSync(tools).find((file) => file.endsWith('.tgz'));
  return path.join(tools, name ?? 'no tarball');
}

/** Prints a row. False where something is wrong; what cannot be had is neither right nor wrong. */
function tryManager(manager: Manager): boolean {
  const command = commandOf(manager);
  if (command === null) {
    console.log(`| ${manager.name} | not run | | | | |`);
    return true;
  }
  const folder = folderOf(manager.name);
  writeProject(folder);
  const installed = run(command, manager.install, folder);
  if (installed.status !== 0) console.error(`${manager.name} does not install:\n${installed.output}`);
  const inProject = (name: string, words: readonly string[]): Ended =>
    manager.isRunner === true
      ? run(command, [name, ...words], folder)
      : run(name === 'node' ? process.execPath : path.join(folder, 'node_modules/.bin', name), words, folder);
  const { output: version } = run(command, ['--version'], folder);
  const answers = [recorded(inProject), ...registered(inProject), typed(folder, manager)];
  console.log(`| ${manager.name} | ${version.trim()} | ${answers.map((wrong) => wrong ?? '✓').join(' | ')} |`);
  return answers.every((wrong) => wrong === null || wrong === notRun);
}

function folderOf(name: string): string {
  const folder = path.join(tools, name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The path of the manager; null where it cannot be had. */
function commandOf({ name, from, command }: Manager): string | null {
  if (from === undefined) return command;
  const home = folderOf(`${name} itself`);
  writeFileSync(path.join(home, 'package.json'), '{ "private": true }');
  const { status } = run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', from], home);
  const program = path.join(home, 'node_modules/.bin', command);
  return status === 0 && run(program, ['--version'], home).status === 0 ? program : null;
}

function writeProject(folder: string): void {
  copyFileSync(tarball, path.join(folder, 'hotspan.tgz'));
  for (const file of ['measured.mjs', 'typed.mts'])
    copyFileSync(path.join(import.meta.dirname, `${file}.txt`), path.join(folder, file));
  const manifest = { private: true, dependencies: { hotspan: 'file:./hotspan.tgz', ...dependencies } };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  // Else Yarn looks for a project further up.
  writeFileSync(path.join(folder, 'yarn.lock'), '');
}

type RunInProject = (name: string, words: readonly string[]) => Ended;

/** What is wrong with a recording by the command; null where nothing is. */
function recorded(inProject: RunInProject): string | null {
  const block = `function block() { require('node:crypto').pbkdf2Sync('secret', 'salt', 400_000, 32, 'sha512'); } block();`;
  const words = ['record', '--quiet', '--out', 'recording', '--', 'node', '-e', block];
  const { status, output } = inProject('hotspan', words);
  if (status !== 0) return `record: ${lastLine(output)}`;
  const table = inProject('hotspan', ['analyze', 'recording']).output;
  return table.includes('block') ? null : `analyze: ${lastLine(table)}`;
}

/** What is wrong in each of the two libraries. The loading of the program may be a long turn, too. */
function registered(inProject: RunInProject): readonly (string | null)[] {
  const { output } = inProject('node', ['measured.mjs']);
  const [, prom, telemetry] = /^prom-client: (\d+), OpenTelemetry: (\d+)$/m.exec(output) ?? [];
  if (prom === undefined || telemetry === undefined) return [lastLine(output), lastLine(output)];
  return [prom, telemetry].map((count) =>
    Number(count) >= 3 && prom === telemetry ? null : `${count} of at least 3 long turns`,
  );
}

/** What is wrong with the types. Plug'n'Play has no files that the compiler finds. */
function typed(folder: string, { isRunner }: Manager): string | null {
  if (isRunner === true) return notRun;
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', '--types', '', '--ignoreConfig'];
  const { status, output } = run(path.join(root, 'node_modules/.bin/tsc'), [...options, 'typed.mts'], folder);
  return status === 0 ? null : lastLine(output);
}

interface Ended {
  readonly status: number | null;
  readonly output: string;
}

function run(command: string, words: readonly string[], cwd: string): Ended {
  const { NODE_OPTIONS: _ignored, PATH = '', ...env } = process.env;
  // The managers, too, run on the tools' Node: Yarn 1 refuses packages that do not take the Node it runs on.
  const nodeFirst = `${path.dirname(process.execPath)}${path.delimiter}${PATH}`;
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    cwd,
    env: { ...env, PATH: nodeFirst, ...registryOf() },
    timeout: 5 * 60_000,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}${error === undefined ? '' : error.message}` };
}

/** Yarn 4 and bun do not read npm's own settings. */
function registryOf(): NodeJS.ProcessEnv {
  const registry = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim();
  return {
    NPM_CONFIG_REGISTRY: registry,
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: JSON.stringify([new URL(registry).hostname]),
    YARN_ENABLE_TELEMETRY: '0',
  };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.replaceAll('|', '/') ?? '';
}
