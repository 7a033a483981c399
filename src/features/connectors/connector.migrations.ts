import { dropIndexes } from '../../platform/store/drop-indexes';
import { foldField } from '../../platform/store/fold-field';

/** Connectors were found by the name of their invoker as it is written. */
export const invokerKeysOfConnectors = foldField({ collection: 'connectors', text: 'invoker', key: 'invokerKey' });

export const connectorIndexesByInvoker = dropIndexes('connectors', ['invoker_1_titleKey_1__id_1', 'invoker_1_createdAt_1__id_1', 'invoker_1_updatedAt_1__id_1', 'invoker_1__id_1']);
