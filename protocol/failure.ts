/** An expected failure. `message` is one sentence that says what to do instead. */
export interface Failure {
  readonly type: 'failed';
  readonly message: string;
}

export function failed(message: string): Failure {
  return { type: 'failed', message };
}

/** What went wrong, of anything that was thrown. */
export function messageOf(error: unknown): string {
  return errorOf(error).message;
}

export function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Whether Node.js failed for this reason, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
