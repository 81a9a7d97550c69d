/** What the person reads about an unexpected error. The rest of it is for the log. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^Request \S+ failed with message: /, ''); // These are the language client's words before the server's message.
}
