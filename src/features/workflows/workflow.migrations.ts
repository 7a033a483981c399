import { dropIndexes } from '../../platform/store/drop-indexes';
import { foldField } from '../../platform/store/fold-field';
import type { Migration } from '../../platform/store/migrations';
import { refold } from '../../platform/store/refold';
import type { VersionRecord, WorkflowRecord } from './workflow.model';
import { isTemporaryTitleKey, TEST_PREFIX } from './workflow.title';

export { aggregatorsOfWorkflows, rowsOfWorkflows } from './references/row-migration';

export const foldedTitles = refold({ collection: 'workflows', text: 'title', key: 'titleKey', except: ({ titleKey }) => isTemporaryTitleKey(String(titleKey)) });

/** Of a list that did not leave test workflows out. */
export const workflowIndexesWithTests = dropIndexes('workflows', ['updatedAt_1__id_1']);

/** Workflows were found by the names of invokers as they are written. */
export const invokerKeysOfWorkflows = foldField({ collection: 'workflows', text: 'invokers', key: 'invokerKeys' });

export const workflowIndexesByInvokers = dropIndexes('workflows', ['test_1_invokers_1_createdAt_1__id_1']);

/** Those with the mark and without a time after it. */
export const testsByPrefix: Migration = {
  name: 'workflows whose title begins with the mark of tests are tests',
  async run({ store, requireLease }) {
    requireLease();
    const behind = `${TEST_PREFIX.slice(0, -1)}${String.fromCharCode(TEST_PREFIX.charCodeAt(TEST_PREFIX.length - 1) + 1)}`;
    await store.connection.collection('workflows').updateMany({ title: { $gte: TEST_PREFIX, $lt: behind }, test: false }, { $set: { test: true } });
  },
};

const BATCH = 500;

/** Every save left a version of its own, so the id of a content was that of its version. */
export const snapshotsOfWorkflows: Migration = {
  name: 'current versions of workflows',
  async run({ store, requireLease }) {
    const workflows = store.connection.collection<WorkflowRecord>('workflows');
    for (let last = 0; ;) {
      const batch = await workflows.find({ _id: { $gt: last } }, { projection: { content: 1 } }).sort({ _id: 1 }).limit(BATCH).toArray();
      if (batch.length > 0) {
        await workflows.bulkWrite(batch.map(({ _id, content }) => ({ updateOne: { filter: { _id, snapshotId: { $exists: false } }, update: { $set: { snapshotId: content.id } } } })));
      }
      requireLease();
      if (batch.length < BATCH) break;
      last = batch[batch.length - 1]?._id ?? last;
    }
    await store.connection.collection<VersionRecord>('workflow_versions').updateMany({ patchedAt: { $exists: false } }, { $set: { patchedAt: null } });
  },
};
