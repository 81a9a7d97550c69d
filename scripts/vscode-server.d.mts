import type { BrowserServer } from 'playwright-core';

export interface UserFiles {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly keybindings?: readonly { readonly key: string; readonly command: string; readonly args?: unknown }[];
  readonly trust?: boolean;
}

export interface VscodeOptions extends UserFiles {
  readonly extensions?: readonly string[];
  readonly builtins?: readonly string[] | undefined;
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface VscodeServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Home, settings, extensions and logs of this server; removed by `stop`. */
  readonly folder: string;
  readonly readLog: () => string;
  readonly stop: () => Promise<void>;
}

export function startVscode(options?: VscodeOptions): Promise<VscodeServer>;
export function writeUserFiles(folder: string, files: UserFiles): void;

export function startTestVscode(options?: VscodeOptions): Promise<VscodeServer>;
export function startBrowser(): Promise<BrowserServer>;

export function findBrowser(): string | undefined;
export function ensureBrowser(): Promise<void>;
