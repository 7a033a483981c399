import { StoreError } from '../errors';
import type { Doc } from '../values';

/** Stream of documents with `undefined` where the reader may pause. */
export type Documents = Iterable<Doc | undefined>;

/** A compiled stage. */
export interface Stage {
  readonly run: (documents: Documents) => Documents;
  /** Top-level fields that the stage reads. */
  readonly reads: ReadonlySet<string> | 'all';
  /** The stage creates new documents: later stages do not see the previous ones. */
  readonly replaces?: true;
}

/** Compiles the specification of a stage. */
export type StageCompiler = (specification: unknown) => Stage;

/** Memory limit of a stage, as in MongoDB. */
const MOST_BYTES = 100 * 1024 * 1024;

/** Tracks the memory of a stage. @throws StoreError 292 limit exceeded */
export class Holding {
  private bytes = 0;

  constructor(private readonly stage: string) {}

  add(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > MOST_BYTES)
      throw new StoreError(
        292,
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `${this.stage} exceeded memory limit of ${MOST_BYTES} bytes`,
      );
  }
}
