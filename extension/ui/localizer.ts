/** `vscode.l10n`, for files that know no editor. */
export interface Localizer {
  readonly t: (message: string, ...args: readonly (string | number)[]) => string;
}
