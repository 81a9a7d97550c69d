import type { Page } from 'playwright-core';

/** Webviews get their resources from this name; a service worker of the page answers, nothing leaves the machine. */
const answeredInside = /(^|\.)vscode-cdn\.net$/;

/** Hosts, other than this machine, that the page asks from now on. The set grows while the page lives. */
export function recordForeignRequests(page: Page): ReadonlySet<string> {
  const hosts = new Set<string>();
  page.context().on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) || answeredInside.test(hostname);
    if (/^(https?|wss?):$/.test(protocol) && !isHere) hosts.add(hostname);
  });
  return hosts;
}
