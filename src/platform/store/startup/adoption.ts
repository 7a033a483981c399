import type { Tx } from '../store';

/** Creates a record with the id that it has in another installation. */
export interface Adoption {
  readonly id: number;
  /** The transaction of the import. */
  readonly tx: Tx;
  /** File name of its picture or icon among the uploads. */
  readonly picture?: string | null;
}
