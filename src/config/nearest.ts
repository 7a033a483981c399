/**
 * How many letters must be added, left out, exchanged, or swapped with their neighbour to make one name of the other (optimal string
 * alignment). Ours, since swapped letters are what people type, and the libraries that know them are no longer kept.
 */
export function editDistance(one: string, other: string): number {
  // Of the last three rows of the table: costs of making the first `row` letters of one from the first `column` of the other.
  let [before, above] = [[] as number[], Array.from({ length: other.length + 1 }, (_each, column) => column)];
  for (let row = 1; row <= one.length; row += 1) {
    const costs = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      costs.push(Math.min(
        (above[column] ?? 0) + 1,
        (costs[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      ));
    }
    [before, above] = [above, costs];
  }
  return above[other.length] ?? 0;
}

/** The candidate that is most like the name, and not more than `most` letters away; the first of several. */
export function nearest(name: string, candidates: Iterable<string>, most: number): string | null {
  let [found, least] = [null as string | null, most];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > least) continue;
    const distance = editDistance(name, candidate);
    if (distance < least || (distance === least && found === null)) [found, least] = [candidate, distance];
  }
  return found;
}
