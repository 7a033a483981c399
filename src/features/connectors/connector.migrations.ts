import { dropIndexes } from '../../platform/store/drop-indexes';
import { foldField } from '../../platform/store/fold-field';
import type { Migration } from '../../platform/store/migrations';
import type { ConnectorRecord } from './connector.model';

/** Connectors were found by the name of their invoker as it is written. */
export const invokerKeysOfConnectors = foldField({ collection: 'connectors', text: 'invoker', key: 'invokerKey' });

export const connectorIndexesByInvoker = dropIndexes('connectors', ['invoker_1_titleKey_1__id_1', 'invoker_1_createdAt_1__id_1', 'invoker_1_updatedAt_1__id_1', 'invoker_1__id_1']);

const BATCH = 200;

/**
 * Values did not say what they were entered for. They get what holds now: `bindStoredValues` writes it in the same start, when the vault is
 * open, for the public fields that decide it are sealed as well.
 */
export const consentOfCredentials: Migration = {
  name: 'what credentials were entered for',
  async run({ store, requireLease }) {
    const connectors = store.connection.collection<ConnectorRecord>('connectors');
    for (let last = 0; ;) {
      const batch = await connectors.find({ _id: { $gt: last } }, { projection: { requestData: 1, version: 1, keyId: 1 } }).sort({ _id: 1 }).limit(BATCH).toArray();
      for (const { _id, version, keyId, requestData } of batch) {
        await connectors.updateOne({ _id, version, keyId }, { $set: { requestData: requestData.map((field) => ({ ...field, consent: (field as Partial<typeof field>).consent ?? null })) } });
      }
      requireLease();
      if (batch.length < BATCH) return;
      last = batch[batch.length - 1]?._id ?? last;
    }
  },
};
