import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { heapOf, type Step, stepIn } from './frames.ts';

/** Installs speedscope in a folder of its own, because it is no dependency of ours. */
export function installSpeedscope(folder: string): void {
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', 'speedscope@1.25.0'];
  execFileSync('npm', words, { cwd: folder, shell: process.platform === 'win32', stdio: ['ignore', 2, 2] });
}

const limitMs = 60_000;

export interface PeerFigures {
  /** From the start to load the file to the first frames on screen, in ms. */
  readonly fromFile: number;
  readonly zoom: Step;
  readonly elements: number;
  readonly heapMb: number;
}

/** Opens a profile in speedscope, in its left-heavy order, and zooms once. Null where it shows nothing within a minute. */
export async function measureSpeedscope(browser: Browser, folder: string, file: string): Promise<PeerFigures | null> {
  const release = path.join(folder, 'node_modules/speedscope/dist/release');
  const server = createServer(({ url = '/' }, response) => {
    const asked = new URL(url, 'http://localhost').pathname;
    const served = asked === '/the.cpuprofile' ? file : path.join(release, path.basename(asked));
    if (!existsSync(served)) return void response.writeHead(404).end();
    const type = contentTypes[path.extname(served)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-length': statSync(served).size });
    return createReadStream(served).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
  try {
    const origin = `http://127.0.0.1:${portOf(server.address())}`;
    const start = performance.now();
    await page.goto(
      `${origin}/index.html#profileURL=${encodeURIComponent(`${origin}/the.cpuprofile`)}&view=left-heavy`,
    );
    await page.waitForFunction(isDrawn, undefined, { timeout: limitMs, polling: 'raf' });
    await stepIn(page, '', 'true');
    const fromFile = performance.now() - start;
    await page.waitForTimeout(2_000);
    const zoom = await stepIn(page, doubleClick, 'true');
    const elements = await page.locator('*').count();
    return { fromFile, zoom, elements, heapMb: await heapOf(page) };
  } catch (error) {
    console.error(String(error));
    return null;
  } finally {
    await page.close();
    server.close();
    server.closeAllConnections();
  }
}

/** Its canvas is there from the start; the buttons of the views come with the profile. */
const isDrawn = `document.body.innerText.includes('Left Heavy') && document.body.innerText.includes('Sandwich')`;

/** On a frame of its third row. */
const doubleClick = `{
  const canvas = [...document.querySelectorAll('canvas')].at(-1);
  const at = { bubbles: true, clientX: 200, clientY: 160, offsetX: 200, offsetY: 160 };
  const around = document.elementFromPoint(200, 160) ?? canvas;
  for (const type of ['mousemove', 'mousedown', 'mouseup', 'click', 'dblclick']) around.dispatchEvent(new MouseEvent(type, at));
}`;

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

function portOf(address: AddressInfo | string | null): number {
  return address === null || typeof address === 'string' ? 0 : address.port;
}
