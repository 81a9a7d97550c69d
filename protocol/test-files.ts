/** Paths inside the workspace, with `/`, that are test code. */
export const testPatterns: readonly RegExp[] = [
  /(^|\/)(test|tests|__tests__|spec|specs|e2e)\//,
  /(^|\/)test\.[cm]?[jt]sx?$/,
  /\.(test|spec)\.[cm]?[jt]sx?$/,
];
