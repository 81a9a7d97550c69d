/** How the recorder is named in NODE_OPTIONS: by the launch side, and again where the preload puts it back. */

/**
 * In NODE_OPTIONS a value with blanks stands in double quotes, in which a backslash escapes. Without need there are none: Node
 * before 12, and tools that read the variable themselves, take them for a part of the name.
 */
export function requireOption(file: string): string {
  return /[\s"]/.test(file) ? `--require "${escaped(file)}"` : `--require ${file}`;
}

/** NODE_OPTIONS with the recorder required last; unchanged where it is there already. */
export function withRecorder(nodeOptions: string | undefined, recorderFile: string): string {
  const given = (nodeOptions ?? '').trim();
  if (given.includes(recorderFile) || given.includes(escaped(recorderFile))) return given;
  return `${given} ${requireOption(recorderFile)}`.trim();
}

/** The reverse. */
export function withoutRecorder(nodeOptions: string, recorderFile: string): string {
  return nodeOptions.replace(requireOption(recorderFile), '').trim();
}

function escaped(file: string): string {
  return file.replaceAll(/["\\]/g, String.raw`\$&`);
}
