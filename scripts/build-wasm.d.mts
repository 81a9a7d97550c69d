export function compiledFiles(): Promise<readonly { readonly file: string; readonly text: string }[]>;
