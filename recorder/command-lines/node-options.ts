/**
 * The option by which Node loads the recorder, as it stands in NODE_OPTIONS. There a value with blanks stands in double
 * quotes, in which a backslash escapes. Other values stay without quotes: Node before 12, and tools that read the
 * variable themselves, take the quotes for a part of the name.
 */
export function requireOption(file: string): string {
  return /[\s"]/.test(file) ? `--require "${escaped(file)}"` : `--require ${file}`;
}

/** NODE_OPTIONS with the recorder required last; unchanged where it contains the recorder already. */
export function withRecorder(nodeOptions: string | undefined, recorderFile: string): string {
  const given = (nodeOptions ?? '').trim();
  if (given.includes(recorderFile) || given.includes(escaped(recorderFile))) return given;
  return `${given} ${requireOption(recorderFile)}`.trim();
}

/** NODE_OPTIONS as it was before `withRecorder`. */
export function withoutRecorder(nodeOptions: string, recorderFile: string): string {
  return nodeOptions.replace(requireOption(recorderFile), '').trim();
}

function escaped(file: string): string {
  return file.replaceAll(/["\\]/g, String.raw`\$&`);
}
