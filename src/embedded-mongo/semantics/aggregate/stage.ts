import { StoreError } from '../errors';
import type { Doc } from '../values';

/** Documents one by one; `undefined` comes where whoever reads them may pause. */
export type Documents = Iterable<Doc | undefined>;

/** A compiled stage. */
export interface Stage {
  readonly run: (documents: Documents) => Documents;
  /** The top-level fields of its documents it looks at. */
  readonly reads: ReadonlySet<string> | 'all';
  /** Its documents are new ones: what came before it is seen by no later stage. */
  readonly replaces?: true;
}

/** Compiles what stands under a stage's name. */
export type StageCompiler = (specification: unknown) => Stage;

/** What one stage may hold; MongoDB's own limit. */
const MOST_BYTES = 100 * 1024 * 1024;

/** Counts what a stage holds in memory. @throws StoreError 292 when it is too much */
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
