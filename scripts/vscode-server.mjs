// Starts the real VS Code (code-server) on a fresh profile of its own and stops it with all that it started.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { personsEnvironment } from './setup.mjs';
import { toolsNode } from './tools.mjs';
import { codeServerEntry } from './vscode-install.mjs';

const startLimitMs = 60_000;

/** No network, no questions, no animations, and no terminals of an earlier window. */
const quietSettings = {
  // It would tell of ports that other programs of this machine listen at.
  'remote.autoForwardPorts': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.reduceMotion': 'on',
  'window.autoDetectColorScheme': false,
  'workbench.editor.enablePreview': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'git.enabled': false,
  'editor.minimap.enabled': false,
  'editor.cursorBlinking': 'solid',
  'files.autoSave': 'off',
  'window.confirmBeforeClose': 'never',
  'terminal.integrated.enablePersistentSessions': false,
  'terminal.integrated.gpuAcceleration': 'off',
  'terminal.integrated.shellIntegration.enabled': false,
};

/**
 * A running VS Code with the extensions `.vsix` files in it. `builtins`: folders of the only built-in extensions; by
 * default it has all that come with VS Code. `flags` and `environment` are added to those of the server; the rest is as in `writeUserFiles`. Throws
 * when it does not answer within a minute.
 */
export async function startVscode(options = {}) {
  const { extensions = [], builtins, flags = [], environment = {} } = options;
  const folder = mkdtempSync(path.join(tmpdir(), 'hotspan-vscode-'));
  for (const name of ['home', 'tmp', 'extensions', 'user-data/User'])
    mkdirSync(path.join(folder, name), { recursive: true });
  writeUserFiles(folder, options);

  const env = serverEnvironment(folder, environment);
  for (const extension of extensions) await installExtension(folder, extension, env);
  const port = await freePort();
  const ofBuiltins = builtins === undefined ? [] : ['--builtin-extensions-dir', linkBuiltins(folder, builtins)];
  const server = spawnServer({ folder, env, port, flags: [...ofBuiltins, ...flags] });
  const url = `http://127.0.0.1:${port}`;
  try {
    await answering(url, server);
  } catch (error) {
    const log = server.readLog();
    await server.stop();
    throw new Error(`VS Code did not start: ${error.message}\n${log}`, { cause: error });
  }
  return { url, folder, readLog: server.readLog, stop: server.stop };
}

/** Settings and keybindings of the server in `folder`. `trust`: ask whether a folder is trusted, as VS Code does by itself. */
export function writeUserFiles(folder, { settings = {}, keybindings = [], trust = false }) {
  const files = { settings: { ...quietSettings, 'security.workspace.trust.enabled': trust, ...settings }, keybindings };
  for (const [name, value] of Object.entries(files))
    writeFileSync(path.join(folder, 'user-data/User', `${name}.json`), JSON.stringify(value, undefined, 2));
}

function linkBuiltins(folder, builtins) {
  const links = path.join(folder, 'builtins');
  mkdirSync(links);
  for (const builtin of builtins) symlinkSync(builtin, path.join(links, path.basename(builtin)), 'junction');
  return links;
}

function spawnServer({ folder, env, port, flags }) {
  const address = ['--bind-addr', `127.0.0.1:${port}`, '--auth', 'none'];
  const quiet = ['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'];
  const args = [codeServerEntry, ...profile(folder), ...address, ...quiet, ...flags];
  const log = path.join(folder, 'server.log');
  const output = openSync(log, 'w');
  const child = spawn(toolsNode, args, { env, stdio: ['ignore', output, output], detached: true });
  closeSync(output);
  const ended = once(child, 'exit');
  const kill = () => killGroup(child.pid);
  process.on('exit', kill);
  process.once('SIGTERM', endBySignal);
  const stop = async () => {
    kill();
    await ended;
    process.off('exit', kill);
    process.off('SIGTERM', endBySignal);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return { child, stop, readLog: () => readFileSync(log, 'utf8') };
}

/** The default action of a signal would leave the server running. */
function endBySignal() {
  process.exit(143);
}

function profile(folder) {
  const data = ['--user-data-dir', path.join(folder, 'user-data'), '--extensions-dir', path.join(folder, 'extensions')];
  return ['--config', '/dev/null', ...data];
}

/** The person's environment, a home of its own, no extension gallery, and nothing of a VS Code that this may run in. */
function serverEnvironment(folder, added) {
  const persons = Object.entries(personsEnvironment()).filter(
    ([name]) => !/^(VSCODE_|NODE_OPTIONS$|NODE_TEST_)/.test(name),
  );
  const own = {
    HOME: path.join(folder, 'home'),
    TMPDIR: path.join(folder, 'tmp'),
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    npm_config_update_notifier: 'false',
  };
  return { ...Object.fromEntries(persons), ...own, ...added };
}

async function installExtension(folder, file, env) {
  const args = [codeServerEntry, ...profile(folder), '--install-extension', file, '--force'];
  await promisify(execFile)(toolsNode, args, { env, timeout: startLimitMs });
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** VS Code itself is loaded with the first page: ask for one, so that a person's first page is a quick one. */
async function answering(url, server) {
  const deadline = Date.now() + startLimitMs;
  while (Date.now() < deadline) {
    if (server.child.exitCode !== null) throw new Error(`it ended with exit code ${server.child.exitCode}.`);
    const healthy = await fetch(`${url}/healthz`)
      .then(({ ok }) => ok)
      .catch(() => false); // not listening yet
    if (healthy) return void (await fetch(url).then((page) => page.text()));
    await wait(100);
  }
  throw new Error(`no answer within ${startLimitMs / 1000} s.`);
}

/** The server leads a process group: extension host, terminals' host and file watcher are in it. */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
