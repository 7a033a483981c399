import { Unavailable } from '../errors/errors';

/** Times a row is read again. Each time somebody has saved in between, so that only a row that is never at rest reaches it. */
const MOST_READS = 100;

/** A row, and how to read it again and the part of it that is stored elsewhere. */
export interface WholeSource<Row, Part> {
  /** The row as it is now. May answer null, or throw, when it is gone. */
  readonly row: () => Promise<Row | null>;
  /** What names the stored part: another one after every save. */
  readonly nameOf: (row: Row) => string;
  /** The part as this row names it; null or undefined when it is not there. */
  readonly partOf: (row: Row) => Promise<Part | null | undefined>;
}

/**
 * Reads a row and the part of it that is stored elsewhere, which a save between the two reads takes away: the row is read again then, until
 * both fit together. Null when the row is gone.
 * @param first the row, when it was read already
 * @throws Error        the part is missing although nobody saves: the data is damaged
 * @throws Unavailable  somebody saves all the time
 */
export async function readWhole<Row, Part>(
  { row, nameOf, partOf }: WholeSource<Row, Part>,
  first?: Row,
): Promise<{ row: Row; part: Part } | null> {
  let missing: string | undefined;
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    const found = reads === 0 && first !== undefined ? first : await row();
    if (found === null) return null;
    const part = await partOf(found);
    if (part !== null && part !== undefined) return { row: found, part };
    if (missing === nameOf(found)) throw new Error(`The stored part ${missing} is missing.`);
    missing = nameOf(found);
  }
  throw new Unavailable('Others change this all the time. Try again.');
}
