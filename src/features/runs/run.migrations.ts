import { dropIndexes } from '../../platform/store/drop-indexes';

/** Of lists in the order of their ids. */
export const runIndexesById = dropIndexes('runs', ['state_1__id_1', 'workflowId_1__id_1']);
