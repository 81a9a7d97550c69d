/** Ids of the languages whose files have marks. */
export const codeLanguages = [
  'javascript',
  'javascriptreact',
  'typescript',
  'typescriptreact',
  'vue',
  'svelte',
  'astro',
  'coffeescript',
] as const;
