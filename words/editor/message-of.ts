/** What the person reads of something that should not have happened; the rest of it is for the log. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^Request \S+ failed with message: /, ''); // The language client's words before the server's.
}
