/** Where programs run that `hotspan record` does not reach. To be put at the end of a sentence. */
export const unrecordable =
  'where Hotspan cannot record (Deno, Bun, Node.js before 20, node --permission, a script that sets NODE_OPTIONS anew)';
