// What every script needs first, in plain JavaScript: it runs straight after `git clone`, before anything is installed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs `npm ci` in a folder that has no `node_modules`, or whose lockfile is not the one that they were installed from. */
export function ensureInstalled(folder = root) {
  const lockfile = readFileSync(path.join(folder, 'package-lock.json'));
  const wanted = createHash('sha256').update(lockfile).digest('hex');
  const stamp = path.join(folder, 'node_modules', '.installed-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const modules = path.dirname(stamp);
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(`${modules} is a link: npm would empty what it leads to. Remove the link first.`);

  console.error(`Installing ${path.relative(root, folder) || 'Hotspan'} (npm ci) …`);
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  writeFileSync(stamp, wanted);
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

/**
 * The environment as it was before `npm run` put its own things in front: the person's PATH, and so their Node, and none
 * of npm's variables. Without npm around it, the environment as it is.
 */
export function personsEnvironment(environment = process.env) {
  if (environment.npm_lifecycle_event === undefined) return { ...environment };
  const isNpms = (name) => name.startsWith('npm_') || ['NODE', 'INIT_CWD', 'COLOR'].includes(name);
  const kept = Object.entries(environment).filter(([name]) => !isNpms(name));
  return Object.fromEntries(
    kept.map(([name, value]) => (/^path$/i.test(name) ? [name, personsPath(value)] : [name, value])),
  );
}

/** npm prepends `node_modules/.bin` of the package and of all folders above it, then its `node-gyp-bin`. */
function personsPath(value) {
  const folders = value.split(path.delimiter);
  const last = folders.findIndex((folder) => path.basename(folder) === 'node-gyp-bin');
  const isNpms = (folder) =>
    folder.endsWith(path.join('node_modules', '.bin')) || path.basename(folder) === 'node-gyp-bin';
  return last >= 0 && folders.slice(0, last).every(isNpms) ? folders.slice(last + 1).join(path.delimiter) : value;
}

/** Runs a command with the person's own Node and npm; a failure ends this script with the command's exit code. */
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
