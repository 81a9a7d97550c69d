export const isNightly: boolean;
export function figure(name: string, value: number): void;
