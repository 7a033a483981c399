import { useAsked, useFollowed, useSoon } from '../api/hooks';
import {
  WatchLastRunsDocument,
  WatchWorkflowsDocument,
  WorkflowsDocument,
} from '../generated/operations';
import type { WorkflowFilter } from '../generated/operations';
import { Blank, Listed } from '../parts/blank';
import { Find, Segments, wanted } from '../parts/choice';
import { LastRun } from '../parts/last-run';
import { Heading } from '../parts/page';
import { isFirstPage, pageOf } from '../parts/paged';
import { Pager } from '../parts/pager';
import { Time } from '../parts/times';
import { href, look, place } from '../place';

/** Minimum interval between reloads when many runs end at once, ms. */
const CHANGED_MS = 1_000;
const ORDERS = [
  { value: '', text: 'Title' },
  { value: 'changed', text: 'Last changed' },
];

export function Workflows() {
  const { query } = place.value;
  const find = wanted(query.get('find'));
  const byChange = query.get('order') === 'changed';
  const filter: WorkflowFilter = find === '' ? {} : { title: { contains: find } };
  const asked = useAsked(WorkflowsDocument, {
    filter,
    orderBy: byChange
      ? { field: 'UPDATED_AT', direction: 'DESC' }
      : { field: 'TITLE', direction: 'ASC' },
    ...pageOf(),
  });
  const again = useSoon(asked.again, CHANGED_MS);
  useFollowed(WatchWorkflowsDocument, { filter }, { next: again, refused: again });
  useFollowed(WatchLastRunsDocument, {}, { next: again });
  const askFor = (changes: Readonly<Record<string, string | null>>): void =>
    look({ ...changes, after: null, before: null }, { replace: true });
  return (
    <>
      <Heading title="Workflows" />
      <div class="filters" role="search" aria-label="Filter workflows">
        <Find
          label="Title"
          value={query.get('find') ?? ''}
          find={(text) => askFor({ find: text })}
        />
        <Segments
          label="Order"
          value={byChange ? 'changed' : ''}
          options={ORDERS}
          choose={(value) => askFor({ order: value })}
        />
      </div>
      <section class="card flush" aria-label="Workflows">
        <Listed
          asked={asked}
          what="Workflows"
          rows={8}
          isEmpty={({ workflows }) => workflows.nodes.length === 0}
          empty={
            <Blank icon="empty" title="No workflows">
              {find === '' ? 'Nothing has been created yet.' : 'No results match the filters.'}
            </Blank>
          }
        >
          {({ workflows }) => (
            <>
              <table class="rows" aria-label="Workflows">
                <thead>
                  <tr>
                    <th scope="col">Workflow</th>
                    <th scope="col" class="only-wide">
                      Changed
                    </th>
                    <th scope="col">Last run</th>
                  </tr>
                </thead>
                <tbody>
                  {workflows.nodes.map(
                    ({ databaseId, title, description, updatedAt, updatedBy, lastRun }) => (
                      <tr key={databaseId}>
                        <td class="cell-main">
                          <a class="row-link" href={href(`workflows/${databaseId}`)}>
                            <bdi>{title}</bdi>
                          </a>{' '}
                          <span class="quiet num">#{databaseId}</span>
                          {description ? (
                            <span class="line quiet clamped">
                              <bdi>{description}</bdi>
                            </span>
                          ) : null}
                        </td>
                        <td class="only-wide">
                          <Time at={updatedAt} />
                          <span class="line quiet">
                            <bdi>{updatedBy.email}</bdi>
                          </span>
                        </td>
                        <td class="nowrap">
                          <LastRun run={lastRun} of={title} />
                        </td>
                      </tr>
                    ),
                  )}
                </tbody>
              </table>
              <Pager
                info={workflows.pageInfo}
                total={workflows.totalCount}
                what={workflows.totalCount === 1 ? 'workflow' : 'workflows'}
                isFirst={isFirstPage()}
                ways={['Back', 'Next']}
              />
            </>
          )}
        </Listed>
      </section>
    </>
  );
}
