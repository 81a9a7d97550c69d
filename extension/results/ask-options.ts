import type { CancellationToken } from 'vscode';

export interface AskOptions {
  readonly token?: CancellationToken;
  readonly onProgress?: (progress: AskProgress) => void;
}

/** `percentage` 0 to 100. */
export interface AskProgress {
  readonly message: string;
  readonly percentage: number;
}
