/** A share such as `41 %`, `0.4 %` or `<0.1 %`. It is `0 %` where the whole is empty. */
export function share(part: number, whole: number): string {
  if (part <= 0 || whole <= 0) return '0 %';
  const percent = (100 * part) / whole;
  if (percent < 0.1) return '<0.1 %';
  return `${percent >= 9.95 ? Math.round(percent) : Number(percent.toFixed(1))} %`;
}
