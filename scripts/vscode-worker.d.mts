import type { BrowserServer } from 'playwright-core';
import type { VscodeOptions, VscodeServer } from './vscode-server.mjs';

export interface VscodeWorker {
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

export function openVscodeWorker(): Promise<VscodeWorker>;
export function startTestVscode(options?: VscodeOptions): Promise<VscodeServer>;
export function startBrowser(): Promise<BrowserServer>;
