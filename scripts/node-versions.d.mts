export function nodePath(version: string): string;
export function ensureNodeVersions(): void;
