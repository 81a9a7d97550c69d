import { detectBrowser } from './user-agent.js';

/** How many of these user agents are which browser, the most used one first. */
export function countBrowsers(userAgents) {
  const counts = new Map();
  for (const userAgent of userAgents) {
    const { name } = detectBrowser(userAgent);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}
