import { Unavailable } from '../errors/errors';

/** Maximum number of retries; each one means that the row was saved in between. */
const MOST_READS = 100;

/** How to read a row and the part of it that is stored elsewhere. */
interface WholeSource<Row, Part> {
  /** Reads the current row. Returns null or throws if it was deleted. */
  readonly row: () => Promise<Row | null>;
  /** Name of the stored part; it changes with every save. */
  readonly nameOf: (row: Row) => string;
  /** Reads the part that this row refers to; null or undefined if it does not exist. */
  readonly partOf: (row: Row) => Promise<Part | null | undefined>;
}

/**
 * Reads a row and the part of it that is stored elsewhere. A save between the two reads deletes
 * that part; the row is then read again. Returns null if the row was deleted.
 * @param first the row, if it was read already
 * @throws Error the part is missing although the row did not change: the data is damaged
 * @throws Unavailable the row changes too often
 */
export async function readWhole<Row, Part>(
  { row, nameOf, partOf }: WholeSource<Row, Part>,
  first?: Row,
): Promise<{ row: Row; part: Part } | null> {
  let missing: string | undefined;
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    const current = reads === 0 && first !== undefined ? first : await row();
    if (current === null) return null;
    const part = await partOf(current);
    if (part !== null && part !== undefined) return { row: current, part };
    if (missing === nameOf(current)) throw new Error(`The stored part ${missing} is missing.`);
    missing = nameOf(current);
  }
  throw new Unavailable('Others change this all the time. Try again.');
}
