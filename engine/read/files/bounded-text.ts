/**
 * A name or url. If it is longer than any that a person wrote, only its two ends are kept. For texts of more than
 * 16,383 units, V8 uses the length as the hash, so it would compare a thousand different texts of one length unit by
 * unit, each with each.
 */
export function boundedText(text: string): string {
  if (text.length <= longestName) return text;
  const half = longestName / 2;
  // The copy goes through bytes, because a part of a text keeps all of that text in memory.
  return `${copied(text.slice(0, half))}…${copied(text.slice(-half))}`;
}

function copied(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/**
 * Longest name in UTF-16 units. No path is longer than 4096 on most systems; names that bundlers make have up to
 * 10,000.
 */
const longestName = 16_000;
