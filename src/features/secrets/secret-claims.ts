import type { Model } from 'mongoose';
import type { Tx } from '../../platform/store/store';
import type { SecretRecord } from './secret.model';

/** What workflows ask of secrets: the port `KnownSecrets`. Keys are folded names. */
export function createSecretClaims({ secrets }: { secrets: Model<SecretRecord> }) {
  return {
    /** The keys of those that are there. */
    async known(keys: readonly string[], tx?: Tx): Promise<ReadonlySet<string>> {
      if (keys.length === 0) return new Set();
      const found = await secrets.find({ nameKey: { $in: [...keys] } }, { nameKey: 1 }, { session: tx?.session }).lean<Pick<SecretRecord, 'nameKey'>[]>();
      return new Set(found.map(({ nameKey }) => nameKey));
    },

    /** Writes their records, so that a deletion or a new name beside it conflicts (docs/adr/0010). What a client has seen of them stays what it was: no version is counted. */
    async claim(keys: readonly string[], { session }: Tx): Promise<void> {
      if (keys.length > 0) await secrets.updateMany({ nameKey: { $in: [...keys] } }, { $inc: { claims: 1 } }, { session });
    },
  };
}
