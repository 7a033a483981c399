import { useEffect, useState } from 'preact/hooks';
import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { VersionDiffDocument, WorkflowVersionsDocument } from '../generated/operations';
import type {
  FieldChangeFragment,
  VersionDiffQuery,
  WorkflowVersionsQuery,
} from '../generated/operations';
import { Action } from '../parts/action';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { formatConstant, formatJson, isolateDirection } from '../parts/format';
import { Card } from '../parts/page';
import { EmptyState, ErrorState, Loading, QueryContent } from '../parts/states';
import { TextBlock } from '../parts/text-block';
import { Time } from '../parts/runs/times';
import { route, setQuery } from '../router';

type Page = NonNullable<WorkflowVersionsQuery['workflow']>['versions'];
type Version = Page['nodes'][number];
type Diff = NonNullable<VersionDiffQuery['workflow']>['diff'];
/** A changed step or field binding. */
interface ChangedPart {
  readonly kinds: Diff['steps'][number]['kinds'];
  readonly before: unknown;
  readonly after: unknown;
  readonly fields: readonly FieldChangeFragment[];
}

/** Page size: the default maximum of versions that are kept. */
const PAGE_SIZE = 50;

function DiffValue({
  kind,
  name,
  value,
}: {
  kind: 'before' | 'after';
  name: string;
  value: unknown;
}) {
  if (value == null) return null;
  return (
    <div class={`diff-${kind}`}>
      <span class="unseen">{kind === 'before' ? 'Before:' : 'After:'}</span>
      <TextBlock text={formatJson(value)} label={`${name}, ${kind}`} />
    </div>
  );
}

function FieldChanges({ name, fields }: { name: string; fields: readonly FieldChangeFragment[] }) {
  return (
    <>
      {fields.map(({ path, kind, before, after, masked }) => (
        <div key={path} class="diff-field">
          <p>
            <code>
              <bdi>{path}</bdi>
            </code>{' '}
            <span class="quiet">
              {formatConstant(kind).toLowerCase()}
              {masked ? ', partly masked' : ''}
            </span>
          </p>
          <DiffValue kind="before" name={`${name}: ${path}`} value={before} />
          <DiffValue kind="after" name={`${name}: ${path}`} value={after} />
        </div>
      ))}
    </>
  );
}

function PartChanges({ title, part }: { title: string; part: ChangedPart }) {
  return (
    <section class="diff-part">
      <h3>
        {part.kinds.map((kind) => (
          <span key={kind} class={`kind kind-${kind.toLowerCase()}`}>
            {formatConstant(kind)}
          </span>
        ))}{' '}
        <bdi dir="ltr">{title}</bdi>
      </h3>
      <DiffValue kind="before" name={title} value={part.before} />
      <DiffValue kind="after" name={title} value={part.after} />
      <FieldChanges name={title} fields={part.fields} />
    </section>
  );
}

const stepTitle = ({ step, name, index, indexBefore }: Diff['steps'][number]): string =>
  `${step === 'METHOD' ? 'Step' : 'Operator'} ${indexBefore !== null && index !== null && indexBefore !== index ? `${indexBefore} → ${index}` : (index ?? indexBefore ?? '')}${name === null ? '' : `: ${isolateDirection(name)}`}`;

function Difference({ id, from, to }: { id: string; from: string; to: string }) {
  const { data, failure, reload } = useQuery(VersionDiffDocument, { id, from, to });
  if (failure !== null)
    return <ErrorState failure={failure} retry={reload} name="versions of workflows" />;
  if (data === null) return <Loading name="the difference" rows={4} />;
  const diff = data.workflow?.diff;
  if (!diff) return <EmptyState icon="empty" title="Workflow not found" />;
  return (
    <div class="diff">
      <p class="quiet">
        From version {diff.from.number} to version {diff.to.number}
        {diff.complete ? '' : '; more differences than shown'}
      </p>
      {diff.equal ? <EmptyState icon="check" title="No differences" /> : null}
      {diff.fields.length === 0 ? null : (
        <section class="diff-part">
          <h3>Workflow</h3>
          <FieldChanges name="Workflow" fields={diff.fields} />
        </section>
      )}
      {diff.steps.map((step, at) => (
        <PartChanges key={at} title={stepTitle(step)} part={step} />
      ))}
      {diff.fieldBindings.map((binding, at) => (
        <PartChanges key={at} title={`Field binding ${binding.bindingId ?? ''}`} part={binding} />
      ))}
    </div>
  );
}

/** A version is selected for each side of the comparison. */
interface Sides {
  readonly from: string | null;
  readonly to: string | null;
}

function SideInput({
  side,
  version: { number, snapshotId },
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
      checked={selected === snapshotId}
      onChange={() => setQuery({ [side]: snapshotId }, { replace: true })}
    />
  );
}

const columnsOf = ({ from, to }: Sides): readonly Column<Version>[] => [
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
];

function VersionList({
  id,
  pages,
  sides,
  onLoad,
}: {
  id: string;
  pages: readonly Page[];
  sides: Sides;
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
        columns={columnsOf(sides)}
        items={pages.flatMap(({ nodes }) => nodes)}
        keyOf={({ snapshotId }) => snapshotId}
      />
      {last?.hasNextPage ? <Action icon="right" text="Show older" isQuiet run={loadOlder} /> : null}
    </>
  );
}

export function Versions({ id, changedAt }: { id: string; changedAt: string }) {
  const query = useQuery(WorkflowVersionsDocument, { id, first: PAGE_SIZE });
  const [older, setOlder] = useState<readonly Page[]>([]);
  useEffect(() => {
    query.reload();
    // A new version shifts the pages, so older ones would overlap with the first.
    setOlder([]);
  }, [changedAt]);
  const parameters = route.value.query;
  const [from, to] = [parameters.get('from'), parameters.get('to')];
  return (
    <Card title="Versions" aside={<span class="quiet">Select two versions to compare</span>}>
      <QueryContent
        query={query}
        name="versions"
        rows={3}
        isEmpty={({ workflow }) => !workflow || workflow.versions.nodes.length === 0}
        empty={<EmptyState icon="empty" title="No versions" />}
      >
        {({ workflow }) => (
          <VersionList
            id={id}
            pages={workflow ? [workflow.versions, ...older] : []}
            sides={{ from, to }}
            onLoad={(page) => setOlder([...older, page])}
          />
        )}
      </QueryContent>
      {from === null || to === null ? null : <Difference id={id} from={from} to={to} />}
    </Card>
  );
}
