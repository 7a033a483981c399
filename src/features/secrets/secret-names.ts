import type { Collection } from '../../platform/store/collection';
import type { Store, Tx } from '../../platform/store/store';
import { secretCollection } from './secret.model';
import type { SecretRecord } from './secret.model';

/** Checks and claims the secrets that workflows refer to. Needs only the store. */
export class SecretNames {
  private readonly secrets: Collection<SecretRecord>;

  constructor(store: Store) {
    this.secrets = secretCollection(store);
  }

  /**
   * Returns which of these secrets exist.
   * @param keys folded names
   */
  async findExisting(keys: readonly string[], tx?: Tx): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const records = await this.secrets.find<Pick<SecretRecord, 'nameKey'>>(
      { nameKey: { $in: [...keys] } },
      { tx, fields: { nameKey: 1 } },
    );
    return new Set(records.map(({ nameKey }) => nameKey));
  }

  /**
   * Writes the records, so that a concurrent deletion or renaming conflicts (docs/adr/0010).
   * Versions stay unchanged, because clients see no difference.
   */
  async claim(keys: readonly string[], tx: Tx): Promise<void> {
    if (keys.length > 0)
      await this.secrets.updateMany({ nameKey: { $in: [...keys] } }, { $inc: { claims: 1 } }, tx);
  }
}
