import type { DomainError } from '../errors/errors';
import type { Findings } from '../errors/findings';
import { fold } from '../text/fold';
import type { Collection } from './collection';
import { isTaken } from './records';
import { uniquely } from './store';
import type { Tx } from './store';

interface UniqueNamesOptions {
  /** Field of the folded name; it has a unique index. Default: `nameKey`. */
  readonly key?: 'nameKey' | 'titleKey';
  /** Error for a name that another record has. */
  readonly takenError: (name: string) => DomainError;
  /** Returns the key of a name. Default: `fold`. */
  readonly keyOf?: (name: string) => string;
}

/** Keeps the names of a collection unique without regard to case. */
export class UniqueNames<R> {
  private readonly keyOf: (name: string) => string;

  constructor(
    private readonly records: Collection<R>,
    private readonly options: UniqueNamesOptions,
  ) {
    this.keyOf = options.keyOf ?? fold;
  }

  /**
   * Adds an error if another record than `exceptId` has this name. The unique index enforces it;
   * this check reports the error together with others.
   */
  async check(name: string, exceptId: number | null, findings: Findings, tx: Tx): Promise<void> {
    const key = this.keyOf(name);
    const filter = this.options.key === 'titleKey' ? { titleKey: key } : { nameKey: key };
    if (await isTaken(this.records, filter, exceptId, tx))
      findings.add(this.options.takenError(name));
  }

  /**
   * Runs a write; replaces a violation of the unique index (two concurrent writes) by the error
   * for a taken name.
   */
  guard<T>(name: string, write: () => Promise<T>): Promise<T> {
    return uniquely(write, () => this.options.takenError(name));
  }

  /** Returns whether a record has this name. */
  async has(name: string): Promise<boolean> {
    const filter = { [this.options.key ?? 'nameKey']: this.keyOf(name) };
    return this.records.exists(filter);
  }
}
