/** The formats of reports for CI services: annotations of GitHub, Code Quality of GitLab, SARIF and JUnit. */
export const reportFormats = ['github', 'gitlab', 'sarif', 'junit'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** One `--report FORMAT[=FILE]`. */
export interface WantedReport {
  readonly format: ReportFormat;
  /** Path as typed; null for standard output. */
  readonly file: string | null;
}

/** Parses the value of a `--report`; `message` is a sentence for the person. */
export function parseReport(
  typed: string,
): { readonly type: 'report'; readonly report: WantedReport } | { readonly type: 'invalid'; readonly message: string } {
  const split = typed.indexOf('=');
  const name = split < 0 ? typed : typed.slice(0, split);
  const format = reportFormats.find((known) => known === name);
  if (format === undefined)
    return {
      type: 'invalid',
      message: `There is no report "${name}": choose ${list}, as in --report sarif=out.sarif.`,
    };
  const file = split < 0 ? null : typed.slice(split + 1);
  if (file === '')
    return { type: 'invalid', message: `Name a file after "${name}=", or leave the "=" out for standard output.` };
  return { type: 'report', report: { format, file } };
}

const list = `${reportFormats.slice(0, -1).join(', ')} or ${reportFormats.at(-1) ?? ''}`;
