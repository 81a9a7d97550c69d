export const vsixFile: string;
export function packageExtension(): void;
