// A Chromium for the tests in real VS Code and those of the pages.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** The first draws no window, and needs half of the processor time of the others. */
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

/** The browser of CHROME_PATH, else the first of the names that is installed. `undefined` when there is none. */
export function findBrowser() {
  const given = process.env.CHROME_PATH;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...(given ? [given] : []), ...onPath, ...elsewhere].find((file) => existsSync(file));
}

/** Finds a browser, on Debian as root installs one. Throws with what the person can do where none can be had. */
export function ensureBrowser() {
  if (findBrowser() === undefined && canInstall()) installHeadlessShell();
  if (findBrowser() === undefined)
    throw new Error('there is no browser. Install Chromium or Chrome, or set CHROME_PATH to one.');
}

function canInstall() {
  return process.platform === 'linux' && existsSync('/usr/bin/apt-get') && process.getuid() === 0;
}

function installHeadlessShell() {
  console.log('Installing Chromium without windows (apt-get) …');
  const options = { stdio: ['ignore', 'ignore', 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  try {
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'], options);
  } catch (error) {
    throw new Error(`Chromium could not be installed (${error.message}). Install it by hand, or set CHROME_PATH.`, {
      cause: error,
    });
  }
}
