import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useQuery } from '../../api/hooks';
import { request } from '../../api/request';
import { WorkflowVersionsDocument } from '../../generated/operations';
import type { VersionedWorkflowQuery, WorkflowVersionsQuery } from '../../generated/operations';
import { Action } from '../../parts/action';
import { DataTable } from '../../parts/data-table';
import type { Column } from '../../parts/data-table';
import { Card } from '../../parts/page';
import { Time } from '../../parts/runs/times';
import { EmptyState, QueryContent } from '../../parts/states';
import { setQuery } from '../../router';
import { Difference } from './difference';
import { VersionActions } from './version-actions';

type Page = NonNullable<WorkflowVersionsQuery['workflow']>['versions'];
type Version = Page['nodes'][number];

/** Page size: the default maximum of versions that are kept. */
const PAGE_SIZE = 50;

/** The snapshots to compare; `current` is the current one. */
interface Sides {
  readonly from: string | null;
  readonly to: string | null;
}

function SideInput({
  side,
  version: { number, snapshotId, current },
  selected,
}: {
  side: keyof Sides;
  version: Version;
  selected: string | null;
}) {
  return (
    <input
      type="radio"
      name={side}
      aria-label={`Compare ${side} version ${number}`}
      checked={selected === snapshotId || (selected === 'current' && current)}
      onChange={() => setQuery({ [side]: snapshotId }, { replace: true })}
    />
  );
}

const columnsOf = (
  { from, to }: Sides,
  actions: (version: Version) => ComponentChildren,
): readonly Column<Version>[] => [
  {
    title: 'From',
    cellClass: 'cell-pick',
    cell: (version) => <SideInput side="from" version={version} selected={from} />,
  },
  {
    title: 'To',
    cellClass: 'cell-pick',
    cell: (version) => <SideInput side="to" version={version} selected={to} />,
  },
  {
    title: 'Version',
    cellClass: 'num',
    cell: ({ number, current }) => (
      <>
        {number}
        {current ? <span class="tag">current</span> : null}
      </>
    ),
  },
  {
    title: 'Comment',
    cellClass: 'cell-main',
    cell: ({ comment, createdAt, author }) => (
      <>
        {comment === null ? <span class="quiet">–</span> : <bdi>{comment}</bdi>}
        <span class="only-narrow quiet">
          <Time at={createdAt} /> <bdi>{author.email}</bdi>
        </span>
      </>
    ),
  },
  {
    title: 'Saved',
    isWideOnly: true,
    cellClass: 'nowrap',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  { title: 'By', isWideOnly: true, cell: ({ author }) => <bdi>{author.email}</bdi> },
  { title: 'Actions', cell: actions },
];

function VersionList({
  id,
  pages,
  columns,
  onLoad,
}: {
  id: string;
  pages: readonly Page[];
  columns: readonly Column<Version>[];
  onLoad: (page: Page) => void;
}) {
  const last = pages.at(-1)?.pageInfo;
  const loadOlder = async (): Promise<void> => {
    const { workflow } = await request(WorkflowVersionsDocument, {
      id,
      first: PAGE_SIZE,
      after: last?.endCursor ?? null,
    });
    if (workflow?.versions) onLoad(workflow.versions);
  };
  return (
    <>
      <DataTable
        label="Versions"
        columns={columns}
        items={pages.flatMap(({ nodes }) => nodes)}
        keyOf={({ snapshotId }) => snapshotId}
      />
      {last?.hasNextPage ? <Action icon="right" text="Show older" isQuiet run={loadOlder} /> : null}
    </>
  );
}

/** The versions of a workflow, and what differs between the two that are selected. */
export function Versions({
  id,
  workflow: { updatedAt, version: expectedVersion, viewerCan },
  sides,
  onChange,
}: {
  id: string;
  workflow: NonNullable<VersionedWorkflowQuery['workflow']>;
  sides: Sides;
  onChange: () => void;
}) {
  const query = useQuery(WorkflowVersionsDocument, { id, first: PAGE_SIZE });
  const [older, setOlder] = useState<readonly Page[]>([]);
  const reload = (): void => {
    query.reload();
    // A new version shifts the pages, so older ones would overlap with the first.
    setOlder([]);
  };
  useEffect(reload, [updatedAt, expectedVersion]);
  const actions = (version: Version): ComponentChildren =>
    viewerCan.update ? (
      <VersionActions
        workflowId={id}
        expectedVersion={expectedVersion}
        version={version}
        onChange={() => {
          reload();
          onChange();
        }}
      />
    ) : null;
  const pages = query.data?.workflow ? [query.data.workflow.versions, ...older] : [];
  const idOf = (side: string | null): string | null =>
    side === 'current'
      ? (pages.flatMap(({ nodes }) => nodes).find(({ current }) => current)?.snapshotId ?? null)
      : side;
  const [from, to] = [idOf(sides.from), idOf(sides.to)];
  return (
    <Card title="Versions" aside={<span class="quiet">Select two versions to compare</span>}>
      <QueryContent
        query={query}
        name="versions"
        rows={3}
        isEmpty={() => pages.length === 0}
        empty={<EmptyState icon="empty" title="No versions" />}
      >
        {() => (
          <VersionList
            id={id}
            pages={pages}
            columns={columnsOf(sides, actions)}
            onLoad={(page) => setOlder([...older, page])}
          />
        )}
      </QueryContent>
      {from === null || to === null ? null : <Difference id={id} from={from} to={to} />}
    </Card>
  );
}
