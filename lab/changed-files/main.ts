// `npm run changed-files`: is a line of a plain profile ever that of other code than ran? Builds a program with each tool,
// profiles it by `node --cpu-prof`, changes its files as people do, and checks every line that `hotspan analyze` then shows
// against the files as they are: with times of after the profile, and of before, as a checkout or a copy leaves them.
// HOTSPAN_TOOLCHAINS: a folder for the packages, which outlives the run.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { transformSync } from 'esbuild';
import { parseReport } from '../../test/helpers/report-schema.ts';
import { runCli } from '../../test/helpers/run-cli.ts';
import { install } from '../toolchains/install.ts';
import { type Build, builds, packages, webpackConfig } from './builds.ts';
import { judge, type Shown } from './judge.ts';
import { type Change, changes, sources, unchangedFiles } from './program.ts';

const { HOTSPAN_TOOLCHAINS: given } = process.env;
const scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'hotspan-changed-files-')));
const tools = install({ name: 'changed-files', packages, files: {} }, given ?? scratch);
const counts = { cases: 0, wrong: 0, known: 0, found: 0 };

for (const build of builds) {
  const folder = profiled(build);
  // What a minifier has inlined is not there before, either.
  const before = await tried(folder, build, unchangedFiles, false);
  for (const change of changes)
    for (const isOlder of [false, true]) {
      const shown = await tried(folder, build, change, isOlder);
      const there = before.found.filter((name) => !change.changed.includes(name));
      counts.cases += 1;
      counts.wrong += shown.wrong.length;
      // The functions of a file with another name are not looked for.
      counts.known += change.movesTo === undefined ? there.length : 0;
      counts.found += change.movesTo === undefined ? shown.found.length : 0;
      const name = `${build.name}, ${change.name}${isOlder ? ', older times' : ''}`;
      const row = `${name}: ${shown.found.length} of ${there.length} found again`;
      console.log([row, ...shown.wrong.map((text) => `  wrong: ${text}`)].join('\n'));
    }
}
rmSync(scratch, { recursive: true });
const { cases, wrong, known, found } = counts;
console.log(`${cases} cases: ${wrong} wrong lines; ${found} of ${known} unchanged functions found again.`);
process.exitCode = wrong === 0 ? 0 : 1;

/** A folder with the program, built and profiled. */
function profiled(build: Build): string {
  const folder = path.join(scratch, build.name.replaceAll(/\W+/g, '-'));
  mkdirSync(path.join(folder, 'src'), { recursive: true });
  symlinkSync(path.join(tools, 'node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(path.join(folder, 'webpack.config.cjs'), webpackConfig);
  for (const [file, text] of Object.entries(sources)) write(folder, build, file, text);
  for (const command of build.build) run(command, folder);
  run(`--cpu-prof --cpu-prof-dir=profile --cpu-prof-interval=500 ${build.start}`, folder);
  return folder;
}

/** Gives the path. */
function write(folder: string, build: Build, file: string, text: string): string {
  const place = nameIn(folder, build, file);
  const { isPlain = false } = build;
  const plain = (): string => transformSync(text, { loader: 'ts' }).code.replaceAll(/\.ts(['"])/g, '.js$1');
  writeFileSync(place, isPlain ? plain() : text);
  return place;
}

function nameIn(folder: string, { isPlain = false }: Build, file: string): string {
  return path.join(folder, isPlain ? file.replace(/ts$/, 'js') : file);
}

function run(words: string, cwd: string): void {
  const { status, stderr, stdout } = spawnSync(process.execPath, words.split(' '), { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${words}: ${stdout}${stderr}`);
}

/** Changes the folder, reads the profile there, and puts the folder back: the profile and the maps have its path. */
async function tried(folder: string, build: Build, change: Change, isOlder: boolean): Promise<Shown> {
  const kept = `${folder}-kept`;
  const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
  cpSync(folder, kept, options);
  try {
    apply(folder, build, change, isOlder);
    const [profile = ''] = readdirSync(path.join(folder, 'profile'));
    const { stdout, stderr } = await runCli(['analyze', '--json', `profile/${profile}`], { cwd: folder });
    if (stdout === '') throw new Error(stderr);
    return judge(parseReport(stdout), change);
  } finally {
    rmSync(folder, { recursive: true });
    cpSync(kept, folder, options);
    rmSync(kept, { recursive: true });
  }
}

function apply(folder: string, build: Build, change: Change, isOlder: boolean): void {
  const { edit, movesTo, isRebuilt = false } = change;
  const { 'src/cart.ts': cart = '', 'src/main.ts': main = '' } = sources;
  const touched = [write(folder, build, movesTo ?? 'src/cart.ts', edit(cart))];
  if (movesTo !== undefined) {
    rmSync(nameIn(folder, build, 'src/cart.ts'));
    touched.push(write(folder, build, 'src/main.ts', main.replace('cart.ts', path.basename(movesTo))));
  }
  const out = path.join(folder, 'out');
  if (isRebuilt) for (const command of build.build) run(command, folder);
  if (isRebuilt && build.build.length > 0) touched.push(...readdirSync(out).map((name) => path.join(out, name)));
  const past = new Date('2020-01-01');
  if (isOlder) for (const file of touched) utimesSync(file, past, past);
}
