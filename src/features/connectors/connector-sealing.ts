import type { Model } from 'mongoose';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import type { Store } from '../../platform/store/store';
import type { ConnectorRecord } from './connector.model';
import type { Credentials } from './credentials';

/** Re-encrypts the credentials of connectors when the key changes. */
export function createConnectorSealing({
  store,
  connectors,
  credentials,
}: {
  store: Store;
  connectors: Model<ConnectorRecord>;
  credentials: Credentials;
}): SealedValues {
  return {
    async keysInUse() {
      const keys: string[] = [];
      for (;;) {
        const other = await connectors
          .findOne({ keyId: { $nin: keys } }, { keyId: 1 })
          .lean<Pick<ConnectorRecord, 'keyId'>>();
        if (!other) return keys;
        keys.push(other.keyId);
      }
    },

    /** One transaction for each connector, so that all its values have the same key. */
    async resealNext(keyId) {
      const next = await connectors
        .findOne({ keyId: { $ne: keyId } }, { _id: 1 })
        .lean<Pick<ConnectorRecord, '_id'>>();
      if (!next) return false;
      await store.transaction(async ({ session }) => {
        const record = await connectors
          .findOne({ _id: next._id, keyId: { $ne: keyId } }, null, { session })
          .lean<ConnectorRecord>();
        if (record)
          await connectors.updateOne(
            { _id: record._id },
            { $set: credentials.sealed(record._id, record.requestData) },
            { session },
          );
      });
      return true;
    },
  };
}
