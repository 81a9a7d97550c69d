// The real VS Code of the tests and of `npm run vscode` (code-server from npm), and the browser that shows it.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { killGroup, personsEnvironment, root, toolsEnvironment, toolsNode, vsixFile } from './setup.mjs';

const vscodePackage = path.join(root, 'test/e2e/vscode');
const codeServer = path.join(vscodePackage, 'node_modules/code-server');
const codeServerEntry = path.join(codeServer, 'out/node/entry.js');
const vscode = path.join(codeServer, 'lib/vscode');
const builtinExtensions = path.join(vscode, 'extensions');

const START_LIMIT_MS = 60_000;

/** No network, no questions, no animations, no terminals of an earlier window, and lists that stay open. */
const quietSettings = {
  // It would report ports of other programs on this machine.
  'remote.autoForwardPorts': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.reduceMotion': 'on',
  'window.autoDetectColorScheme': false,
  'workbench.editor.enablePreview': false,
  // A lens above the first line would be out of sight.
  'workbench.editor.restoreViewState': false,
  // On a busy machine an editor or a message may take the focus between two steps of a test.
  'workbench.quickOpen.closeOnFocusLost': false,
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
 * Starts VS Code on a new profile, with the extensions of these `.vsix` files. `builtins`: folders of the only built-in
 * extensions; by default all that VS Code has. `flags` and `environment` are added to those of the server; the rest is as
 * in `writeUserFiles`. Throws if it does not answer within a minute.
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

/** Settings and keybindings of the server in `folder`. `trust`: ask whether a folder is trusted, VS Code's default. */
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

/** The user's environment without variables of a surrounding VS Code, with a new home and no extension gallery. */
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
  await promisify(execFile)(toolsNode, args, { env, timeout: START_LIMIT_MS });
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Waits for the server. Also loads the first page, which loads VS Code itself, so that the next one is quick. */
async function answering(url, server) {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    if (server.child.exitCode !== null) throw new Error(`it ended with exit code ${server.child.exitCode}.`);
    const healthy = await fetch(`${url}/healthz`)
      .then(({ ok }) => ok)
      .catch(() => false); // not listening yet
    if (healthy) return void (await fetch(url).then((page) => page.text()));
    await wait(100);
  }
  throw new Error(`no answer within ${START_LIMIT_MS / 1000} s.`);
}

/** Installs code-server, unless it is up to date with its lockfile. */
export async function ensureVscode() {
  const folder = vscodePackage;
  const wanted = readFileSync(path.join(folder, 'package-lock.json'), 'utf8');
  const stamp = path.join(folder, 'node_modules/.installed-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;

  console.log('Installing VS Code (code-server from npm, 800 MB) …');
  await npm(['ci'], folder);
  // VS Code and its built-in extensions bring lists of their own; `npm ci` refuses what code-server ships.
  await npm(['install', '--omit=dev'], vscode);
  await npm(['install', '--omit=dev'], builtinExtensions);
  // Without scripts there is no native logger, and every output channel stays empty.
  copyFileSync(path.join(folder, 'spdlog-stub.cjs'), path.join(vscode, 'node_modules/@vscode/spdlog/index.js'));
  writeFileSync(stamp, wanted);
}

function npm(args, cwd) {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const shell = process.platform === 'win32';
  return runToEnd('npm', [...args, ...options], { cwd, env: toolsEnvironment, shell, stdio: ['ignore', 2, 2] });
}

/** Rejects if the command cannot be started, or fails. Others go on meanwhile. */
async function runToEnd(command, args, options) {
  const [code] = await once(spawn(command, args, options), 'close');
  if (code !== 0) throw new Error(`${command} ${args[0]} ended with exit code ${code}.`);
}

/** The built-in extensions that a test or Hotspan needs. With all of them a window takes twice as long to be ready. */
const neededBuiltins = [
  ...['configuration-editing', 'json', 'javascript', 'typescript-basics', 'theme-defaults', 'theme-seti'],
  ...['markdown-basics', 'markdown-language-features', 'debug-auto-launch'],
  ...['ms-vscode.js-debug', 'ms-vscode.js-debug-companion', 'ms-vscode.vscode-js-profile-table'],
];

/** Extensions of the tests, activated only by tests that need them. */
const testExtensions = ['test/e2e/other-debugger', 'test/e2e/virtual-files'];

const builtins = [
  ...neededBuiltins.map((name) => path.join(builtinExtensions, name)),
  ...testExtensions.map((folder) => path.join(root, folder)),
];

/** What the test files of one worker share. `environment` has the addresses for `openVscode` and `launchBrowser`. */
export async function openVscodeWorker() {
  const server = await startTestVscode();
  const browser = await startBrowser();
  const shared = { url: server.url, folder: server.folder, browser: browser.wsEndpoint() };
  return {
    environment: { HOTSPAN_SHARED_VSCODE: JSON.stringify(shared) },
    close: async () => {
      await browser.close();
      await server.stop();
    },
  };
}

export function startTestVscode(options = {}) {
  return startVscode({ extensions: [vsixFile], builtins, ...options });
}

/** A browser that other processes connect to. */
export async function startBrowser() {
  const { chromium } = await import('playwright-core'); // `npm test` loads this file before anything is installed.
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('No browser: install Chromium or set CHROME_PATH.');
  const quiet = ['networking', 'timer-throttling'].map((what) => `--disable-background-${what}`);
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-component-update'];
  return chromium.launchServer({
    executablePath,
    args: [...args, ...quiet, '--disable-sync', '--disable-dev-shm-usage'],
  });
}

/** The first draws no window, and needs half of the CPU time of the others. */
const names = [
  ...['chromium-headless-shell', 'chromium', 'chromium-browser'],
  ...['google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'],
];
const elsewhere = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The path of CHROME_PATH, else of the first of `names` that is installed; else undefined. */
export function findBrowser() {
  const given = process.env.CHROME_PATH;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...(given ? [given] : []), ...onPath, ...elsewhere].find((file) => existsSync(file));
}

/** Installs a browser if there is none, which needs apt-get and root; else throws. */
export async function ensureBrowser() {
  const canInstall = process.platform === 'linux' && existsSync('/usr/bin/apt-get') && process.getuid() === 0;
  if (findBrowser() === undefined && canInstall) await installHeadlessShell();
  if (findBrowser() === undefined)
    throw new Error('there is no browser. Install Chromium or Chrome, or set CHROME_PATH to one.');
}

async function installHeadlessShell() {
  console.log('Installing Chromium without windows (apt-get) …');
  const options = { stdio: ['ignore', 'ignore', 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  try {
    await runToEnd('apt-get', ['update', '-qq'], options);
    await runToEnd('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'], options);
  } catch (error) {
    throw new Error(`Chromium could not be installed (${error.message}). Install it by hand, or set CHROME_PATH.`, {
      cause: error,
    });
  }
}
