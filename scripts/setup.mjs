// What every script needs first. It runs right after `git clone`, before anything is installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs `npm ci` in a folder, unless `node_modules` has what the lockfile names. */
export function ensureInstalled(folder = root) {
  if (!isInstalled(folder)) install(folder);
  if (folder === root && !existsSync(toolsNode)) {
    console.error('npm has run no install scripts, so the Node of the tools is missing. Type:');
    console.error('  npm rebuild node --ignore-scripts=false');
    process.exit(1);
  }
}

function install(folder) {
  const modules = path.join(folder, 'node_modules');
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(`${modules} is a link, and npm would empty its target. Remove the link first.`);

  console.error(`Installing ${path.relative(root, folder) || 'Hotspan'} (npm ci) …`);
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], folder);
}

/** npm lists what it installed in a lockfile of its own. Packages for other systems, all optional, are not in it. */
function isInstalled(folder) {
  const wanted = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
  const installed = installedPackages(folder);
  return Object.entries(wanted).every(([place, { version, integrity, optional = false }]) => {
    const found = installed[place];
    if (found === undefined) return optional || place === ''; // The package of the lockfile itself.
    return found.version === version && found.integrity === integrity;
  });
}

/** None where npm did not come to its end. */
function installedPackages(folder) {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'node_modules/.package-lock.json'), 'utf8')).packages;
  } catch {
    return {};
  }
}

/** `ensureInstalled` for each example. */
export function ensureExamples() {
  const examples = path.join(root, 'examples');
  for (const entry of readdirSync(examples, { withFileTypes: true }))
    if (entry.isDirectory()) ensureInstalled(path.join(examples, entry.name));
}

/** Bundles the sources into dist/. */
export function build() {
  run(process.execPath, [path.join(root, 'scripts/build.mjs')], root);
}

/** The environment without what `npm run` added to it: npm's variables, and its folders in PATH. */
export function personsEnvironment(environment = process.env) {
  if (environment.npm_lifecycle_event === undefined) return { ...environment };
  const isNpms = (name) => name.startsWith('npm_') || ['NODE', 'INIT_CWD', 'COLOR'].includes(name);
  const kept = Object.entries(environment).filter(([name]) => !isNpms(name));
  return Object.fromEntries(
    kept.map(([name, value]) => (/^path$/i.test(name) ? [name, userPath(value)] : [name, value])),
  );
}

/** npm prepends `node_modules/.bin` of the package and of all folders above it, then its `node-gyp-bin`. */
function userPath(value) {
  const folders = value.split(path.delimiter);
  const last = folders.findIndex((folder) => path.basename(folder) === 'node-gyp-bin');
  const isNpms = (folder) =>
    folder.endsWith(path.join('node_modules', '.bin')) || path.basename(folder) === 'node-gyp-bin';
  return last >= 0 && folders.slice(0, last).every(isNpms) ? folders.slice(last + 1).join(path.delimiter) : value;
}

/** Runs a command with the user's own Node and npm; its failure ends this script with its exit code. */
function run(command, args, folder) {
  const windowsScript = process.platform === 'win32' && command === 'npm';
  const { PATH, Path } = personsEnvironment();
  const environment = { ...process.env, ...(PATH === undefined ? { Path } : { PATH }) };
  try {
    // npm's output goes to stderr: a script's own result is on stdout.
    execFileSync(command, args, { cwd: folder, env: environment, shell: windowsScript, stdio: ['ignore', 2, 2] });
  } catch (error) {
    console.error(
      error.status === undefined
        ? `${command} could not be started: ${error.message}`
        : `${command} ${args[0]} failed in ${folder}.`,
    );
    process.exit(error.status ?? 1);
  }
}

const bin = path.join(root, 'node_modules', '.bin');

/** The Node of the devDependencies; that of the machine may be as old as 20. */
export const toolsNode = path.join(bin, process.platform === 'win32' ? 'node.exe' : 'node');

export const toolsEnvironment = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };

/** Runs a tool of node_modules/.bin. Gives its exit code; 1 if it was killed or could not be started. */
export function runTool(name, args, options = {}) {
  const inherited = { cwd: root, env: toolsEnvironment, stdio: 'inherit', shell: process.platform === 'win32' };
  const result = spawnSync(path.join(bin, name), args, { ...inherited, ...options });
  if (result.error !== undefined) console.error(`${name} could not be started: ${result.error.message}`);
  return result.status ?? 1;
}

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

export const vsixFile = path.join(root, `hotspan-${version}.vsix`);

/** Packs the built dist/, and what else `.vscodeignore` lets through. */
export function packageExtension() {
  // Everything is bundled, so no dependencies are packed.
  if (runTool('vsce', ['package', '--no-dependencies', '--out', vsixFile], { stdio: ['ignore', 2, 2] }) !== 0)
    throw new Error('vsce could not package the extension, see above.');
}

/**
 * The words that start a command as the leader of a process group, and the options of `spawn` for it. `isLive`: it asks
 * for figures of programs that run meanwhile.
 *
 * Linux gives each session the same share of the processors. A thread that wakes, as V8's sampler does, then waits behind
 * the busy threads of other sessions for hundreds of ms. In CI, where nothing else runs, live tests therefore stay in the
 * session of the caller. That needs perl: Node makes a group with a session only.
 */
export function inOwnGroup(command, isLive) {
  const perl = '/usr/bin/perl';
  const shares = isLive && process.env.CI === 'true' && process.platform === 'linux' && existsSync(perl);
  if (!shares) return { command, options: { detached: true } };
  return { command: [perl, '-e', 'setpgrp; exec @ARGV or die $!', ...command], options: {} };
}

/** Kills a process group, if it still runs. */
export function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}
