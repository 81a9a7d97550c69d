/**
 * Marks urls of older texts. A file that was edited while it was recorded ran as several texts. The one that ran last
 * has the file's url; an older one has that url with the text's name behind it, inside the analysis only. No surface
 * shows that name.
 */
const mark = '#hotspan-text=';

export function olderUrl(url: string, text: string): string {
  return `${plainUrl(url)}${mark}${text}`;
}

/** The file's url, whichever of its texts is meant. */
export function plainUrl(url: string): string {
  const at = url.lastIndexOf(mark);
  return at < 0 ? url : url.slice(0, at);
}

/** Name of the older text that is meant; null for the text that ran last. */
export function olderTextOf(url: string): string | null {
  const at = url.lastIndexOf(mark);
  return at < 0 ? null : url.slice(at + mark.length);
}
