export interface Limits {
  readonly unit: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly tolerance: number;
}

export interface Source {
  readonly name: string;
  readonly rows: readonly { readonly name: string }[];
}

export function medianOf(values: readonly number[]): number;
export function flagsOf(limits: Limits, value?: number, latest?: number, isSameMachine?: boolean): readonly string[];
export function chooseRows(sources: readonly Source[], words: readonly string[]): readonly Source[];
export function summaryOf(flags: readonly (readonly string[])[]): string;
