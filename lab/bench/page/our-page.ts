import type { Browser, Page } from 'playwright-core';
import { heapOf, mainThread, type Step, stepIn } from './frames.ts';
import { openServedPage, readRecording, showMessage, startServer } from './served-page.ts';

/** What our page takes for one profile. */
export interface PageFigures {
  /** From the start to read the file until the server has it, in ms. */
  readonly read: number;
  /** From then to the first frames on screen. */
  readonly paint: Step;
  readonly zoom: Step;
  readonly search: Step;
  /** Main thread for each move of the pointer that draws the chosen part of the run, in ms. */
  readonly move: number;
  /** The most that were in the document. */
  readonly elements: number;
  readonly heapMb: number;
}

export interface Opened {
  readonly file: string;
  /** The folder that is open in the editor: what is in it is the person's own code. */
  readonly folder: string;
  /** What is searched for. */
  readonly wanted: string;
  /** Whether code of others is folded, as it is at first. Where all of it is of others there would be one bar. */
  readonly isFolded: boolean;
}

/** Opens the page on a profile in a server of its own, and does each step once. */
export async function measurePage(browser: Browser, { file, folder, wanted, isFolded }: Opened): Promise<PageFigures> {
  const server = await startServer(folder);
  try {
    const page = await openServedPage(browser, server, { recording: file, isFolded });
    const start = performance.now();
    const opened = await readRecording(server, file);
    const read = performance.now() - start;
    if (opened.type === 'failed') throw new Error(opened.message);
    const paint = await stepIn(page, `window.postMessage(${JSON.stringify(showMessage(file))}, '*')`, isDrawn);
    const elements = await elementsWhenSettled(page);
    const zoom = await stepIn(page, clickOnHeavyFrame, isZoomed);
    const zoomed = await elementsWhenSettled(page);
    const typing = await stepIn(page, typed(wanted), isFound);
    const search = { ...typing, ms: typing.ms - pauseMs };
    const heapMb = await heapOf(page);
    const move = await brush(page);
    await page.close();
    return { read, paint, zoom, search, move, elements: Math.max(elements, zoomed), heapMb };
  } finally {
    server.close();
  }
}

/** Draws over the turns of the run, with a frame for each move. The button is not released: nothing is asked for yet. */
async function brush(page: Page): Promise<number> {
  const box = await page.locator('.time-brush').boundingBox();
  if (box === null) throw new Error('The page has no turns over time.');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 4, y);
  await page.mouse.down();
  const before = await mainThread(page);
  for (let move = 1; move <= moves; move += 1) {
    await page.mouse.move(box.x + (box.width * (moves + 2 * move)) / (4 * moves), y);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
  return ((await mainThread(page)) - before) / moves;
}

const moves = 40;

/** The page waits so long for another key before it searches. */
const pauseMs = 120;

const isDrawn = `document.querySelector('g.frame:not([data-id=""])') !== null`;
/** The matches are marked, and the heaviest one is on screen. */
const isFound = `(() => {
  const box = document.querySelector('svg.searching g.frame[data-chosen] > rect')?.getBoundingClientRect();
  return box !== undefined && box.bottom > 0 && box.top < innerHeight;
})()`;
const isZoomed = `document.querySelector('g.frame.fade[data-id=""]') !== null`;

/** The heaviest frame below the second row, bars left out: a click zooms to it. */
const clickOnHeavyFrame = `[...document.querySelectorAll('g.frame:not([data-folded=others], [data-folded=outside])')]
  .filter((frame) => frame.getAttribute('aria-level') >= 3)
  .sort((a, b) => b.getAttribute('width') - a.getAttribute('width'))[0]
  .dispatchEvent(new MouseEvent('click', { bubbles: true }))`;

function typed(text: string): string {
  return `{ const box = document.querySelector('input[type=text]'); box.value = ${JSON.stringify(text)}; box.dispatchEvent(new Event('input', { bubbles: true })); }`;
}

/** Number of elements of the document, once nothing is awaited any more. */
async function elementsWhenSettled(page: Page): Promise<number> {
  await page.locator('.stage[aria-busy=false]').waitFor();
  await page.waitForTimeout(300);
  return page.locator('*').count();
}
