/** Parses an index: "1_0_12" becomes [1, 0, 12]. Returns null if it is invalid. */
export function parseIndex(index: string | null | undefined): readonly number[] | null {
  if (typeof index !== 'string' || !/^\d{1,9}(?:_\d{1,9})*$/.test(index)) return null;
  return index.split('_').map(Number);
}

/** Compares part by part; a prefix sorts before its extensions. */
export function compareIndexes(left: readonly number[], right: readonly number[]): number {
  const common = Math.min(left.length, right.length);
  for (let part = 0; part < common; part += 1) {
    if (left[part] !== right[part]) return left[part] - right[part];
  }
  return left.length - right.length;
}

export function isInside(inner: readonly number[], outer: readonly number[]): boolean {
  return inner.length > outer.length && outer.every((part, position) => inner[position] === part);
}
