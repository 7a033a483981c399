import { dropIndexes } from '../../platform/store/drop-indexes';
import type { Migration } from '../../platform/store/migrations';
import { refold } from '../../platform/store/refold';
import { isTemporaryTitleKey, TEST_PREFIX } from './workflow.title';

export { rowsOfWorkflows } from './references/row-migration';

export const foldedTitles = refold({ collection: 'workflows', text: 'title', key: 'titleKey', except: ({ titleKey }) => isTemporaryTitleKey(String(titleKey)) });

/** Of a list that did not leave test workflows out. */
export const workflowIndexesWithTests = dropIndexes('workflows', ['updatedAt_1__id_1']);

/** Those with the mark and without a time after it. */
export const testsByPrefix: Migration = {
  name: 'workflows whose title begins with the mark of tests are tests',
  async run({ store, requireLease }) {
    requireLease();
    const behind = `${TEST_PREFIX.slice(0, -1)}${String.fromCharCode(TEST_PREFIX.charCodeAt(TEST_PREFIX.length - 1) + 1)}`;
    await store.connection.collection('workflows').updateMany({ title: { $gte: TEST_PREFIX, $lt: behind }, test: false }, { $set: { test: true } });
  },
};
