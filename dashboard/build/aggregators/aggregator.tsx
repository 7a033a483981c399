import { useState } from 'preact/hooks';
import { useRefreshedQuery } from '../../api/hooks';
import { request } from '../../api/request';
import { AggregatorDetailsDocument, DeleteAggregatorDocument } from '../../generated/operations';
import type { AggregatorRecordFragment } from '../../generated/operations';
import { DeleteRecord, UserList, usersOf } from '../../parts/delete-records';
import { isolateDirection } from '../../parts/format';
import { throwUserErrors } from '../../parts/form';
import { notify } from '../../parts/notices';
import { Card, Heading, RecordPage } from '../../parts/page';
import { href, navigate } from '../../router';
import { AggregatorForm } from './aggregator-form';
import { ArchiveAction } from './aggregators';

function DeleteAggregator({ aggregator }: { aggregator: AggregatorRecordFragment }) {
  const { databaseId, name, version, usedBy } = aggregator;
  const remove = async (force: boolean): Promise<void> => {
    const { aggregatorDelete } = await request(DeleteAggregatorDocument, {
      id: String(databaseId),
      expectedVersion: version,
      force,
    });
    throwUserErrors(aggregatorDelete.userErrors);
    notify(`${isolateDirection(name)} was deleted.`);
    navigate(href('aggregators'));
  };
  return (
    <DeleteRecord
      noun="aggregator"
      name={name}
      users={usersOf(usedBy)}
      forceText="Delete it anyway. Runs of workflows that use it then store none of its values."
      remove={remove}
    />
  );
}

function SettingsCard({
  aggregator,
  reload,
}: {
  aggregator: AggregatorRecordFragment;
  reload: () => Promise<void>;
}) {
  const [saves, setSaves] = useState(0);
  const onSaved = async (): Promise<void> => {
    await reload();
    // Begins again with the ids of new variables.
    setSaves(saves + 1);
    notify('The aggregator was saved.');
  };
  return (
    <Card title="Settings">
      <AggregatorForm
        key={saves}
        aggregator={aggregator}
        isReadOnly={!aggregator.viewerCan.update}
        onSaved={onSaved}
      />
    </Card>
  );
}

/** One aggregator: its settings and what uses it. */
export function AggregatorPage({ id }: { id: string }) {
  const { query, refresh: reload } = useRefreshedQuery(AggregatorDetailsDocument, { id });
  return (
    <RecordPage
      title={`Aggregator ${id}`}
      name="aggregator"
      query={query}
      recordOf={({ aggregator }) => aggregator}
      notFoundText="It may have been deleted."
    >
      {(aggregator) => (
        <>
          <Heading title={aggregator.name}>
            {aggregator.active ? null : <span class="tag">Archived</span>}
            <a href={href('aggregators')}>All aggregators</a>
            {aggregator.viewerCan.update ? (
              <ArchiveAction aggregator={aggregator} onChange={() => void reload()} />
            ) : null}
            {aggregator.viewerCan.delete ? <DeleteAggregator aggregator={aggregator} /> : null}
          </Heading>
          <div class="account-cards">
            <SettingsCard aggregator={aggregator} reload={reload} />
            <Card title="Used by">
              <UserList
                users={{ totalCount: aggregator.usedBy.length, nodes: aggregator.usedBy }}
              />
            </Card>
          </div>
        </>
      )}
    </RecordPage>
  );
}
