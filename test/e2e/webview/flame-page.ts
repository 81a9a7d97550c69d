import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { after, afterEach } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import type { FlameAnswer, FlameQuery, FlameSearch, FlameSearchAnswer } from '../../../protocol/flame.ts';
import type { Timeline, TimelineQuery } from '../../../protocol/time.ts';
import { isPageMessage } from '../../../protocol/webview-guard.ts';
import type { HostMessage, PageMessage } from '../../../protocol/webview.ts';
import { milliseconds } from '../../../protocol/units.ts';
import { projectFile } from '../../helpers/project.ts';
import { launchBrowser } from '../../helpers/vscode/shared-vscode.ts';
import manifest from '../../../package.json' with { type: 'json' };
import themes from './themes.json' with { type: 'json' };

const { contributes } = manifest;

export type ThemeName = keyof typeof themes;
/** themes.json holds every variable that the page uses, with the value that VS Code 1.139 gives it in a webview. */
export const themeNames: readonly ThemeName[] = [
  'Dark 2026',
  'Light 2026',
  'Dark Modern',
  'Light Modern',
  'Dark+',
  'Light+',
  'High Contrast',
  'High Contrast Light',
];

/** What stands in for the extension and the server: answers what the page asks. */
export interface FakeHost {
  readonly theme?: ThemeName;
  /** What an earlier page kept by `setState`. */
  readonly kept?: unknown;
  /** Messages sent when the page is ready. */
  readonly opening?: readonly HostMessage[];
  readonly answer: (query: FlameQuery) => FlameAnswer | Promise<FlameAnswer>;
  readonly search?: (search: FlameSearch) => FlameSearchAnswer | Promise<FlameSearchAnswer>;
  /** Absent: nothing is known of turns, and the page shows none. */
  readonly timeline?: (query: TimelineQuery) => Timeline | Promise<Timeline>;
}

export interface FlamePage {
  readonly page: Page;
  /** All that the page has posted so far. */
  readonly posted: readonly PageMessage[];
  readonly send: (message: HostMessage) => Promise<void>;
  readonly kept: () => Promise<unknown>;
}

export const shown: Extract<HostMessage, { type: 'show' }> = {
  type: 'show',
  ...{ recording: 'recording-1', written: '' },
  title: 'npm test in examples/catalogue',
  verdict: '312 ms worst in cloneCatalogue, src/catalogue.js:12',
  finding: null,
  folders: ['file:///home/me/catalogue'],
  thresholdUs: milliseconds(10),
  isTiers: false,
  isDiff: false,
  isSecondRun: false,
  startedAt: null,
};

/** Opens pages of one browser, which ends with the test file; none is left open after a test. */
export function pagesOfFile(): (width?: number, height?: number) => Promise<Page> {
  const opening: { browser: Promise<Browser> | null } = { browser: null };
  afterEach(async () => {
    for (const context of (await opening.browser)?.contexts() ?? []) await context.close();
  });
  after(async () => (await opening.browser)?.close());
  return async (width = 1000, height = 600) => {
    opening.browser ??= launchBrowser();
    return (await opening.browser).newPage({ viewport: { width, height } });
  };
}

/** Opens the built page as a panel would: VS Code's variables and body class, its API and a strict CSP. */
export async function openFlamePage(page: Page, host: FakeHost): Promise<FlamePage> {
  const posted: PageMessage[] = [];
  // As text: Playwright does not pass on objects as deep as a stack.
  const send = (message: HostMessage): Promise<void> =>
    page.evaluate((text) => window.postMessage(JSON.parse(text), '*'), JSON.stringify(message));
  await page.exposeFunction('postToHost', async (message: unknown) => {
    if (!isPageMessage(message)) throw new Error(`Not a message of the page: ${JSON.stringify(message)}`);
    posted.push(message);
    for (const reply of await repliesTo(message, host)) await send(reply);
  });
  const html = await panelHtml(host);
  await page.route('http://panel.test/', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto('http://panel.test/');
  return {
    page,
    posted,
    send,
    kept: () => page.evaluate((): unknown => JSON.parse(sessionStorage.getItem('kept') ?? 'null')),
  };
}

/** The same, once frames are drawn. */
export async function openWithFrames(page: Page, host: FakeHost): Promise<FlamePage> {
  const opened = await openFlamePage(page, host);
  await page.locator('g.frame').first().waitFor();
  return opened;
}

/** The frame with this name, or those with it. */
export function frameOn(page: Page, name: string): Locator {
  return page.locator(`g.frame[name="${name}"]`);
}

export function namesOf(frames: Locator): Promise<readonly (string | null)[]> {
  return frames.evaluateAll((all) => all.map((one) => one.getAttribute('name')));
}

export function lastQuery(posted: readonly PageMessage[]): FlameQuery | undefined {
  return posted.findLast((message) => message.type === 'query')?.query;
}

export function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Waits for what the page does in its own time. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await setTimeout(20);
}

async function repliesTo(message: PageMessage, host: FakeHost): Promise<readonly HostMessage[]> {
  switch (message.type) {
    case 'ready':
      return host.opening ?? [shown];
    case 'query':
      return [{ type: 'answer', id: message.id, answer: await host.answer(message.query) }];
    case 'search':
      return host.search === undefined
        ? []
        : [{ type: 'searchAnswer', id: message.id, answer: await host.search(message.search) }];
    case 'timeline':
      return host.timeline === undefined
        ? []
        : [{ type: 'timelineAnswer', id: message.id, answer: await host.timeline(message.timeline) }];
    case 'openSource':
    case 'openBefore':
    case 'openDeopt':
    case 'profileAgain':
    case 'recordTiers':
    case 'openTiers':
    case 'openProfile':
    case 'copy':
    case 'savePicture':
      return [];
  }
}

/** VS Code's, and those of the colours that the extension contributes. */
export function variablesOf(theme: ThemeName): ReadonlyMap<string, string> {
  const { bodyClass, variables } = themes[theme];
  const kind = kinds.find(([name]) => bodyClass.includes(name))?.[1] ?? 'light';
  const own = contributes.colors.map(
    ({ id, defaults }) => [`--vscode-${id.replace('.', '-')}`, defaults[kind]] as const,
  );
  return new Map([...Object.entries(variables), ...own]);
}

/** As VS Code does: the page is not loaded again. */
export async function changeTheme(page: Page, theme: ThemeName): Promise<void> {
  const { bodyClass } = themes[theme];
  await page.evaluate(
    ([css, className]) => {
      document.documentElement.style.cssText = css;
      document.body.className = className;
    },
    [styleOf(theme), bodyClass] as const,
  );
}

function styleOf(theme: ThemeName): string {
  return [...variablesOf(theme)].map(([name, value]) => `${name}: ${value}`).join(';');
}

const kinds = [
  ['vscode-high-contrast-light', 'highContrastLight'],
  ['vscode-high-contrast', 'highContrast'],
  ['vscode-dark', 'dark'],
] as const;

async function panelHtml({ theme = 'Dark 2026', kept }: FakeHost): Promise<string> {
  const [script, style] = await Promise.all(
    ['js', 'css'].map((kind) => readFile(projectFile(`dist/flamegraph.${kind}`), 'utf8')),
  );
  const { bodyClass } = themes[theme];
  const css = styleOf(theme);
  const nonce = 'dGVzdA';
  return `<!DOCTYPE html><html lang="en" style='${css.replaceAll("'", '"')}'><head><meta charset="utf-8"><title>Flamegraph</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<style>body { padding: 0 20px; color: var(--vscode-editor-foreground) } ${style}</style></head>
<body class="${bodyClass}"><script nonce="${nonce}">
function acquireVsCodeApi() {
  const kept = ${JSON.stringify(kept ?? null)};
  if (kept !== null) sessionStorage.setItem('kept', JSON.stringify(kept));
  return {
    postMessage: (message) => { void window.postToHost(message); },
    getState: () => JSON.parse(sessionStorage.getItem('kept') ?? 'null') ?? undefined,
    setState: (state) => sessionStorage.setItem('kept', JSON.stringify(state)),
  };
}
</script><script nonce="${nonce}">${script?.replaceAll('</script', '<\\/script')}</script></body></html>`;
}
