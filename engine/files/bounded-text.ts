/**
 * A name or url as it is, or where it is longer than any that a person wrote, its two ends. Texts beyond 16 383 units
 * have their length for a hash in V8: a thousand different ones of one length are compared unit by unit, each with each.
 */
export function boundedText(text: string): string {
  if (text.length <= longestName) return text;
  const half = longestName / 2;
  // Through bytes: a part of a text keeps all of it in memory.
  return `${copied(text.slice(0, half))}…${copied(text.slice(-half))}`;
}

function copied(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** In UTF-16 units: no path is longer than 4096 on most systems, names that bundlers make have up to 10 000. */
const longestName = 16_000;
