interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly texts: readonly string[];
}

export const noticesFile: string;
export function packagesOf(inputs: Iterable<string>, root: string): readonly BundledPackage[];
export function noticesOf(packages: readonly BundledPackage[]): string;
