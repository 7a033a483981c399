import { useMemo } from 'preact/hooks';
import { useQuery } from '../../api/hooks';
import { VersionDiffDocument } from '../../generated/operations';
import type {
  DifferenceKind,
  FieldChangeFragment,
  VersionDiffQuery,
} from '../../generated/operations';
import { formatConstant } from '../../parts/format';
import { Icon } from '../../parts/icon';
import type { IconName } from '../../parts/icon';
import { EmptyState, ErrorState, Loading } from '../../parts/states';
import { TextBlock } from '../../parts/text-block';
import type { FlowNode } from '../document';
import { stepTitle } from '../fields/references';
import { stepIcon, stepSummary } from '../flow/step-texts';
import { bindingTitle, comparedSide, formatPointer, formatWithNames } from './compared';
import type { ComparedSide } from './compared';

type Diff = NonNullable<VersionDiffQuery['workflow']>['diff'];

interface Sides {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
}

function FieldChange({
  name,
  change: { path, kind, before, after, masked },
  sides,
}: {
  name: string;
  change: FieldChangeFragment;
  sides: Sides;
}) {
  const field = formatPointer(path);
  const values = [
    { side: 'before', label: 'Before', value: before },
    { side: 'after', label: 'After', value: after },
  ] as const;
  return (
    <div class="diff-field">
      <p>
        <b>
          <bdi>{field}</bdi>
        </b>{' '}
        <span class="quiet">
          {formatConstant(kind).toLowerCase()}
          {masked ? ', partly masked' : ''}
        </span>
      </p>
      {values.map(({ side, label, value }) =>
        value == null ? null : (
          <div key={side} class={`diff-${side}`}>
            <span class="unseen">{label}:</span>
            <TextBlock
              text={formatWithNames(value, sides[side].titles)}
              label={`${name}: ${field}, ${side}`}
            />
          </div>
        ),
      )}
    </div>
  );
}

/** A block of what differs: a step, a script or the workflow. */
function DiffBlock({
  kinds,
  icon,
  number = '',
  title,
  summary = '',
  changes,
  sides,
}: {
  kinds: readonly DifferenceKind[];
  icon: IconName;
  number?: string;
  title: string;
  summary?: string;
  changes: readonly FieldChangeFragment[];
  sides: Sides;
}) {
  return (
    <section class={`diff-part diff-${(kinds[0] ?? 'CHANGED').toLowerCase()}`}>
      <h3>
        <span class="block-number num">{number}</span>
        <Icon name={icon} size={16} /> <bdi dir="ltr">{title}</bdi>{' '}
        {kinds.map((kind) => (
          <span key={kind} class={`kind kind-${kind.toLowerCase()}`}>
            {formatConstant(kind)}
          </span>
        ))}
      </h3>
      {summary === '' ? null : (
        <p class="quiet">
          <bdi>{summary}</bdi>
        </p>
      )}
      {changes.map((change) => (
        <FieldChange key={change.path} name={title} change={change} sides={sides} />
      ))}
    </section>
  );
}

const numberOf = (before: FlowNode | undefined, after: FlowNode | undefined): string =>
  before !== undefined && after !== undefined && before.number !== after.number
    ? `${before.number} → ${after.number}`
    : ((after ?? before)?.number ?? '');

function StepBlock({ change, sides }: { change: Diff['steps'][number]; sides: Sides }) {
  const before = sides.before.nodes.get(change.stepId ?? '');
  const after = sides.after.nodes.get(change.stepId ?? '');
  const node = after ?? before;
  if (node === undefined) return null;
  const { titles } = after === undefined ? sides.before : sides.after;
  return (
    <DiffBlock
      kinds={change.kinds}
      icon={stepIcon(node.step)}
      number={numberOf(before, after)}
      title={stepTitle(node.step)}
      summary={stepSummary(node.step, titles)}
      changes={change.fields}
      sides={sides}
    />
  );
}

function Blocks({ diff }: { diff: Diff }) {
  const sides = useMemo(
    () => ({ before: comparedSide(diff.from), after: comparedSide(diff.to) }),
    [diff],
  );
  return (
    <>
      {diff.fields.length === 0 ? null : (
        <DiffBlock
          kinds={['CHANGED']}
          icon="edit"
          title="Workflow"
          changes={diff.fields}
          sides={sides}
        />
      )}
      {diff.steps.map((change, at) => (
        <StepBlock key={at} change={change} sides={sides} />
      ))}
      {diff.fieldBindings.map(({ bindingId, kinds, fields }, at) => {
        const { bindings, titles } = sides.after.bindings.has(bindingId)
          ? sides.after
          : sides.before;
        return (
          <DiffBlock
            key={at}
            kinds={kinds}
            icon="dots"
            title={bindingTitle(bindings.get(bindingId), titles)}
            changes={fields}
            sides={sides}
          />
        );
      })}
    </>
  );
}

/** What differs between two versions, as the blocks of the editor. */
export function Difference({ id, from, to }: { id: string; from: string; to: string }) {
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
      {diff.equal ? <EmptyState icon="check" title="No differences" /> : <Blocks diff={diff} />}
    </div>
  );
}
