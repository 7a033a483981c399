import type { Migration } from '../../platform/store/startup/migrations';

/** The last run of a workflow is found among the runs. */
export const lastRunMigration: Migration = {
  name: 'remove the last run from the rows of workflows',
  async run({ store }) {
    await store.connection.collection('workflows').updateMany({}, { $unset: { lastRunId: 1 } });
  },
};
