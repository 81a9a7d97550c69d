/** Width in px from which a frame has its name on it, as in the chart. */
export const leastLabelWidth = 35;

/**
 * Takes the label of a frame away that has become too narrow for a name, and makes one where a frame has become wide
 * enough: most frames are narrow, and a label is two of four elements.
 */
export function keepLabel(frame: SVGGElement, name: string): void {
  const width = Number(frame.getAttribute('width'));
  const label = frame.children[1];
  if (width < leastLabelWidth) label?.remove();
  else if (label === undefined) frame.append(labelOf(name, width, Number(frame.getAttribute('height'))));
}

function labelOf(name: string, width: number, height: number): SVGForeignObjectElement {
  const label = document.createElementNS('http://www.w3.org/2000/svg', 'foreignObject');
  label.setAttribute('width', String(width));
  label.setAttribute('height', String(height));
  label.style.setProperty('pointer-events', 'none');
  const text = document.createElement('div');
  text.className = 'd3-flame-graph-label';
  text.textContent = name;
  label.append(text);
  return label;
}
