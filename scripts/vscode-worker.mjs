// What the test files of one worker share: a VS Code server with few built-in extensions, and a browser.
import path from 'node:path';
import { findBrowser } from './browser.mjs';
import { root } from './setup.mjs';
import { builtinExtensions } from './vscode-install.mjs';
import { startVscode } from './vscode-server.mjs';
import { vsixFile } from './vsix.mjs';

/** The built-in extensions that a test or Hotspan needs. All of them double the time in which a window is ready. */
const neededBuiltins = [
  ...['configuration-editing', 'json', 'javascript', 'typescript-basics', 'theme-defaults', 'theme-seti'],
  ...['markdown-basics', 'markdown-language-features', 'debug-auto-launch'],
  ...['ms-vscode.js-debug', 'ms-vscode.js-debug-companion', 'ms-vscode.vscode-js-profile-table'],
];

/** Extensions of the tests, which begin only where a test asks for them. */
const testExtensions = ['test/e2e/other-debugger', 'test/e2e/virtual-files'];

const builtins = [
  ...neededBuiltins.map((name) => path.join(builtinExtensions, name)),
  ...testExtensions.map((folder) => path.join(root, folder)),
];

/** `environment` says to `openVscode` and `launchBrowser` in the files' processes where both are. */
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

/** `options` as of `startVscode`. */
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
