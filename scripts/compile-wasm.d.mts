export function compiledModule(): Promise<string>;
