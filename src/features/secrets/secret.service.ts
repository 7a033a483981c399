import type { Vault } from '../../platform/crypto/vault';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import { createSecretDeletion } from './secret-deletion';
import { createSecretOpening } from './secret-opening';
import { createSecretReads } from './secret-reads';
import { createSecretSaving } from './secret-saving';
import { createSecretUse } from './secret-use';
import { secretModel } from './secret.model';
import type { SecretUsers } from './secret.ports';
import type { Model } from 'mongoose';
import type { SecretRecord } from './secret.model';

/** What workflows ask of secrets: the port `KnownSecrets`. Keys are folded names. */
function createSecretClaims({ secrets }: { secrets: Model<SecretRecord> }) {
  return {
    /** The keys of those that are there. */
    async known(keys: readonly string[], tx?: Tx): Promise<ReadonlySet<string>> {
      if (keys.length === 0) return new Set();
      const found = await secrets
        .find({ nameKey: { $in: [...keys] } }, { nameKey: 1 }, { session: tx?.session })
        .lean<Pick<SecretRecord, 'nameKey'>[]>();
      return new Set(found.map(({ nameKey }) => nameKey));
    },

    /** Writes their records, so that a deletion or a new name beside it conflicts (docs/adr/0010). What a client has seen of them stays what it was: no version is counted. */
    async claim(keys: readonly string[], { session }: Tx): Promise<void> {
      if (keys.length > 0)
        await secrets.updateMany(
          { nameKey: { $in: [...keys] } },
          { $inc: { claims: 1 } },
          { session },
        );
    },
  };
}

export type { Secret, SecretInUse } from './secret-reads';

declare module '../../platform/context' {
  interface Services {
    secrets: SecretService;
  }
}

export interface SecretDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly vault: Vault;
  readonly workflows: SecretUsers;
}

/** All of it, runs and workflows included. */
export type Secrets = ReturnType<typeof createSecrets>;

/** What doors may do with secrets: they never see a value. */
export type SecretService = Secrets['service'];

/** Named secrets: values that steps use by their names, each sent to its own origins only. One file for each use case. */
export function createSecrets({ store, audit, vault, workflows }: SecretDependencies) {
  const secrets = secretModel(store);
  const reads = createSecretReads({ secrets, workflows });
  const use = createSecretUse({ workflows });
  return {
    service: {
      ...reads,
      ...createSecretSaving({ store, audit, vault, secrets, reads, use }),
      ...createSecretDeletion({ store, audit, secrets, reads, use }),
    },
    /** For workflows that name them. */
    claims: createSecretClaims({ secrets }),
    /** For runs that use them, and for whoever changes the key. */
    opening: createSecretOpening({ store, vault, secrets }),
  };
}
