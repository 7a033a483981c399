import { useEffect, useState } from 'preact/hooks';
import { ask } from '../api/ask';
import { useAsked } from '../api/hooks';
import { VersionDiffDocument, WorkflowVersionsDocument } from '../generated/operations';
import type {
  FieldChangeFragment,
  VersionDiffQuery,
  WorkflowVersionsQuery,
} from '../generated/operations';
import { Action } from '../parts/action';
import { Blank, Failed, Listed, Loading } from '../parts/blank';
import { isolated, jsonText, words } from '../parts/format';
import { Card } from '../parts/page';
import { Text } from '../parts/text';
import { Time } from '../parts/times';
import { look, place } from '../place';

type Page = NonNullable<WorkflowVersionsQuery['workflow']>['versions'];
type Version = Page['nodes'][number];
type Diff = NonNullable<VersionDiffQuery['workflow']>['diff'];
interface Part {
  readonly kinds: Diff['steps'][number]['kinds'];
  readonly before: unknown;
  readonly after: unknown;
  readonly fields: readonly FieldChangeFragment[];
}

/** Page size: the default maximum of versions that are kept. */
const VERSIONS = 50;

function Side({ kind, of, value }: { kind: 'before' | 'after'; of: string; value: unknown }) {
  if (value == null) return null;
  return (
    <div class={`diff-${kind}`}>
      <span class="unseen">{kind === 'before' ? 'Before:' : 'After:'}</span>
      <Text text={jsonText(value)} label={`${of}, ${kind}`} />
    </div>
  );
}

function Fields({ of, fields }: { of: string; fields: readonly FieldChangeFragment[] }) {
  return (
    <>
      {fields.map(({ path, kind, before, after, masked }) => (
        <div key={path} class="diff-field">
          <p>
            <code>
              <bdi>{path}</bdi>
            </code>{' '}
            <span class="quiet">
              {words(kind).toLowerCase()}
              {masked ? ', partly masked' : ''}
            </span>
          </p>
          <Side kind="before" of={`${of}: ${path}`} value={before} />
          <Side kind="after" of={`${of}: ${path}`} value={after} />
        </div>
      ))}
    </>
  );
}

function Changed({ title, part }: { title: string; part: Part }) {
  return (
    <section class="diff-part">
      <h3>
        {part.kinds.map((kind) => (
          <span key={kind} class={`kind kind-${kind.toLowerCase()}`}>
            {words(kind)}
          </span>
        ))}{' '}
        <bdi dir="ltr">{title}</bdi>
      </h3>
      <Side kind="before" of={title} value={part.before} />
      <Side kind="after" of={title} value={part.after} />
      <Fields of={title} fields={part.fields} />
    </section>
  );
}

const stepTitle = ({ step, name, index, indexBefore }: Diff['steps'][number]): string =>
  `${step === 'METHOD' ? 'Step' : 'Operator'} ${indexBefore !== null && index !== null && indexBefore !== index ? `${indexBefore} → ${index}` : (index ?? indexBefore ?? '')}${name === null ? '' : `: ${isolated(name)}`}`;

function Difference({ id, from, to }: { id: string; from: string; to: string }) {
  const { data, failure, again } = useAsked(VersionDiffDocument, { id, from, to });
  if (failure !== null)
    return <Failed failure={failure} again={again} what="versions of workflows" />;
  if (data === null) return <Loading what="The difference" rows={4} />;
  const diff = data.workflow?.diff;
  if (!diff) return <Blank icon="empty" title="Workflow not found" />;
  return (
    <div class="diff">
      <p class="quiet">
        From version {diff.from.number} to version {diff.to.number}
        {diff.complete ? '' : '; more differences than shown'}
      </p>
      {diff.equal ? <Blank icon="check" title="No differences" /> : null}
      {diff.fields.length === 0 ? null : (
        <section class="diff-part">
          <h3>Workflow</h3>
          <Fields of="Workflow" fields={diff.fields} />
        </section>
      )}
      {diff.steps.map((step, at) => (
        <Changed key={at} title={stepTitle(step)} part={step} />
      ))}
      {diff.fieldBindings.map((binding, at) => (
        <Changed key={at} title={`Field binding ${binding.bindingId ?? ''}`} part={binding} />
      ))}
    </div>
  );
}

function Row({ version, from, to }: { version: Version; from: string | null; to: string | null }) {
  const { number, snapshotId, comment, createdAt, current, author } = version;
  const pick = (side: 'from' | 'to', chosen: string | null) => (
    <input
      type="radio"
      name={side}
      aria-label={`Compare ${side} version ${number}`}
      checked={chosen === snapshotId}
      onChange={() => look({ [side]: snapshotId }, { replace: true })}
    />
  );
  return (
    <tr>
      <td class="cell-pick">{pick('from', from)}</td>
      <td class="cell-pick">{pick('to', to)}</td>
      <td class="num">
        {number}
        {current ? <span class="tag">current</span> : null}
      </td>
      <td class="cell-main">
        {comment === null ? <span class="quiet">–</span> : <bdi>{comment}</bdi>}
        <span class="only-narrow quiet">
          <Time at={createdAt} /> <bdi>{author.email}</bdi>
        </span>
      </td>
      <td class="only-wide nowrap">
        <Time at={createdAt} />
      </td>
      <td class="only-wide">
        <bdi>{author.email}</bdi>
      </td>
    </tr>
  );
}

function Rows({
  pages,
  from,
  to,
}: {
  pages: readonly Page[];
  from: string | null;
  to: string | null;
}) {
  return (
    <table class="rows" aria-label="Versions">
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">To</th>
          <th scope="col">Version</th>
          <th scope="col">Comment</th>
          <th scope="col" class="only-wide">
            Saved
          </th>
          <th scope="col" class="only-wide">
            By
          </th>
        </tr>
      </thead>
      <tbody>
        {pages
          .flatMap(({ nodes }) => nodes)
          .map((version) => (
            <Row key={version.snapshotId} version={version} from={from} to={to} />
          ))}
      </tbody>
    </table>
  );
}

export function Versions({ id, changedAt }: { id: string; changedAt: string }) {
  const asked = useAsked(WorkflowVersionsDocument, { id, first: VERSIONS });
  const { again } = asked;
  const [older, setOlder] = useState<readonly Page[]>([]);
  useEffect(() => {
    again();
    // A new version shifts the pages, so older ones would overlap with the first.
    setOlder([]);
  }, [changedAt]);
  const { query } = place.value;
  const [from, to] = [query.get('from'), query.get('to')];
  return (
    <Card title="Versions" aside={<span class="quiet">Select two versions to compare</span>}>
      <Listed
        asked={asked}
        what="Versions"
        rows={3}
        isEmpty={({ workflow }) => !workflow || workflow.versions.nodes.length === 0}
        empty={<Blank icon="empty" title="No versions" />}
      >
        {({ workflow }) => {
          const pages = workflow ? [workflow.versions, ...older] : [];
          const last = pages.at(-1)?.pageInfo;
          return (
            <>
              <Rows pages={pages} from={from} to={to} />
              {last?.hasNextPage ? (
                <Action
                  icon="right"
                  text="Show older"
                  quiet
                  run={async () => {
                    const page = (
                      await ask(WorkflowVersionsDocument, {
                        id,
                        first: VERSIONS,
                        after: last.endCursor ?? null,
                      })
                    ).workflow?.versions;
                    if (page) setOlder([...older, page]);
                  }}
                />
              ) : null}
            </>
          );
        }}
      </Listed>
      {from === null || to === null ? null : <Difference id={id} from={from} to={to} />}
    </Card>
  );
}
