/** Titles of the actions on a marked line. VS Code lists them among those of other extensions. */
export const markActions = {
  explain: 'Hotspan: Explain',
  recheck: 'Hotspan: Re-check: Has My Change Helped?',
  worst: 'Hotspan: Show Its Worst Operation',
  replace: 'Hotspan: Replace by',
} as const;
