import { filePathOf, resolveReference } from '../files/file-path.ts';

/** Where a generated text says that its source map is. */
export type MapReference =
  | { readonly type: 'none' }
  | { readonly type: 'inline'; readonly text: string }
  | { readonly type: 'file'; readonly path: string }
  /** The map is on a server, or in an unknown form: it is never fetched. */
  | { readonly type: 'elsewhere'; readonly url: string };

/**
 * The last `//# sourceMappingURL=` of a text, if only comments and white space follow it. The same words inside a
 * string (compilers have them) are no reference. Source: ECMA-426, "Linking generated code to source maps".
 */
export function mapReferenceOf(text: string, url: string): MapReference {
  const at = text.lastIndexOf('sourceMappingURL=');
  if (at < 0 || !/\/[/*][#@][ \t]*$/.test(text.slice(Math.max(0, at - 8), at))) return { type: 'none' };
  const rest = text.slice(at + 'sourceMappingURL='.length);
  const end = rest.search(/[\s'"`]|\*\//);
  const reference = end < 0 ? rest : rest.slice(0, end);
  if (end >= 0 && !onlyComments.test(rest.slice(end))) return { type: 'none' };
  return reference.startsWith('data:') ? inlineMap(reference) : fileReference(reference, url);
}

/** Each character can match in one way only. Otherwise a banner of a hundred slashes would take extremely long. */
const onlyComments = /^\s*(?:\*\/\s*)?(?:\/\/[^\n]*(?:\n\s*|$))*$/;

function fileReference(reference: string, url: string): MapReference {
  if (reference === '') return { type: 'none' };
  const path = filePathOf(resolveReference(reference, url));
  return path === null ? { type: 'elsewhere', url: reference } : { type: 'file', path };
}

function inlineMap(dataUrl: string): MapReference {
  const text = textOfDataUrl(dataUrl);
  return text === null ? { type: 'elsewhere', url: dataUrl.slice(0, 40) } : { type: 'inline', text };
}

/** The text of a `data:` url; null where it has no data. */
export function textOfDataUrl(dataUrl: string): string | null {
  const comma = dataUrl.indexOf(',');
  if (comma < 0) return null;
  const data = dataUrl.slice(comma + 1);
  if (/;base64$/i.test(dataUrl.slice(0, comma))) return Buffer.from(data, 'base64').toString();
  try {
    return decodeURIComponent(data);
  } catch {
    return data; // It is the JSON itself without escapes, or broken. Parsing it shows which.
  }
}
