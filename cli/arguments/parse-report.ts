import { type Invalid, invalid, listOf } from './command.ts';

/** The formats of reports for CI services: annotations of GitHub, Code Quality of GitLab, SARIF and JUnit. */
export const reportFormats = ['github', 'gitlab', 'sarif', 'junit'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** One `--report FORMAT[=FILE]`. */
export interface WantedReport {
  readonly format: ReportFormat;
  /** Path as typed; null for standard output. */
  readonly file: string | null;
}

/** Parses the value of a `--report`. */
export function parseReport(typed: string): { readonly type: 'report'; readonly report: WantedReport } | Invalid {
  const split = typed.indexOf('=');
  const name = split < 0 ? typed : typed.slice(0, split);
  const format = reportFormats.find((known) => known === name);
  if (format === undefined)
    return invalid(`Unknown report "${name}": choose ${listOf(reportFormats)}, as in --report sarif=out.sarif.`);
  const file = split < 0 ? null : typed.slice(split + 1);
  if (file === '') return invalid(`Name a file after "${name}=", or leave the "=" out for standard output.`);
  return { type: 'report', report: { format, file } };
}
