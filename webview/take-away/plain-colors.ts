/** Turns a colour of CSS into `#rrggbb`, as it looks over a background. */
export type ColorReader = (color: string) => string;

/**
 * A reader for the colours on a background. The style sheet has colours that other programs do not know (`color-mix`),
 * and translucent ones: a canvas paints each once.
 */
export function colorReader(background: string): ColorReader {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [1, 1];
  const paint = canvas.getContext('2d', { willReadFrequently: true });
  const known = new Map<string, string>();
  return (color) => {
    const found = known.get(color) ?? hexOf(paint, [background, color]);
    known.set(color, found);
    return found;
  };
}

function hexOf(paint: CanvasRenderingContext2D | null, colors: readonly string[]): string {
  if (paint === null) return '#000000';
  const onPixel = paint;
  for (const color of colors) {
    onPixel.fillStyle = color;
    onPixel.fillRect(0, 0, 1, 1);
  }
  const bytes = [...onPixel.getImageData(0, 0, 1, 1).data].slice(0, 3);
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
