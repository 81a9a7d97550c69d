/** An expected failure. `message` is one sentence that says what to do instead. */
export interface Failure {
  readonly type: 'failed';
  readonly message: string;
}

export function failed(message: string): Failure {
  return { type: 'failed', message };
}
