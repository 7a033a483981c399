import { signal, useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { memo } from 'preact/compat';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Icon } from '../../parts/icon';
import type { FlowNode, Place } from '../document';
import { stepTitle } from '../fields/references';
import type { EditSession } from '../session';
import type { StepOutcomes } from '../test/outcomes';
import { handleFlowKey } from './flow-keys';
import { placeAfterDrop } from './moves';
import { PlusMenu } from './plus-menu';
import { SideTag } from './side-tag';
import { stepIcon, stepSummary } from './step-texts';

/** What the parts of a flow share. */
export class FlowView {
  /** The place at which a step is added, while it is chosen. */
  readonly openPlus = signal<Place | null>(null);
  readonly draggedId = signal<string | null>(null);
  readonly collapsed = signal<ReadonlySet<string>>(new Set());
  /** Announced to screen readers. */
  readonly message = signal('');

  constructor(
    readonly session: EditSession,
    readonly outcomes: StepOutcomes,
    /** Opens the panel of the selected step. */
    readonly open: () => void,
  ) {}

  toggle(stepId: string): void {
    const collapsed = new Set(this.collapsed.value);
    if (!collapsed.delete(stepId)) collapsed.add(stepId);
    this.collapsed.value = collapsed;
  }
}

const samePlace = (one: Place | null, other: Place): boolean =>
  one !== null && one.parentId === other.parentId && one.position === other.position;

/** Adds a step between two others, and takes a dragged one. */
function Plus({ view, place }: { view: FlowView; place: Place }) {
  const { session, openPlus, draggedId } = view;
  const isOpen = samePlace(openPlus.value, place);
  const button = useRef<HTMLButtonElement>(null);
  const dropPlace = (): Place | null => {
    const node = draggedId.value === null ? undefined : session.nodeOf(draggedId.value);
    return node === undefined ? null : placeAfterDrop(node, place, session);
  };
  if (session.isReadOnly.value) return null;
  return (
    <div
      class={draggedId.value !== null && dropPlace() !== null ? 'plus plus-target' : 'plus'}
      onDragOver={(event) => {
        if (dropPlace() !== null) event.preventDefault();
      }}
      onDrop={(event) => {
        event.preventDefault();
        const target = dropPlace();
        if (target !== null && draggedId.value !== null)
          session.change({ kind: 'move', stepId: draggedId.value, ...target });
        draggedId.value = null;
      }}
    >
      <button
        ref={button}
        type="button"
        class="plus-button"
        aria-label="Add a step here"
        aria-expanded={isOpen}
        onClick={() => (openPlus.value = isOpen ? null : place)}
      >
        <Icon name="plus" size={12} />
      </button>
      {isOpen ? (
        <PlusMenu
          session={session}
          place={place}
          onClose={() => {
            openPlus.value = null;
            button.current?.focus();
          }}
        />
      ) : null}
    </div>
  );
}

function BlockMarks({ view, node }: { view: FlowView; node: FlowNode }) {
  const { session, outcomes } = view;
  const { id } = node.step;
  const outcome = useComputed(() => outcomes.byStep.value.get(id)).value;
  const hasProblem = useComputed(() => session.problemIds.value.has(id)).value;
  return (
    <>
      {outcome === undefined ? null : (
        <span class={`outcome outcome-${outcome.state.toLowerCase()}`}>
          <Icon name={outcome.icon} size={12} />
          <span>{outcome.text}</span>
        </span>
      )}
      {hasProblem ? (
        <span class="block-problem" title="Has problems">
          <span class="unseen">has problems</span>
        </span>
      ) : null}
    </>
  );
}

/** The head of a step: a call, or the title of a frame. */
function Block({ view, node }: { view: FlowView; node: FlowNode }) {
  const { session, draggedId, collapsed } = view;
  const { step, number, children } = node;
  const isSelected = useComputed(() => session.selectedId.value === step.id).value;
  const isMarked = useComputed(() => session.marked.value.has(step.id)).value;
  const isFirst = useComputed(
    () => session.selectedId.value === null && session.flow.value[0]?.step.id === step.id,
  ).value;
  const button = useRef<HTMLButtonElement>(null);
  const isFrame = step.kind === 'operator';
  const isOpen = !collapsed.value.has(step.id);
  useEffect(() => {
    if (isSelected) button.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const title = stepTitle(step);
  return (
    <div
      class={['block', isMarked ? 'marked' : '', step.enabled ? '' : 'block-disabled'].join(' ')}
    >
      <button
        ref={button}
        type="button"
        class="block-button"
        data-step={step.id}
        aria-current={isSelected ? 'true' : undefined}
        tabIndex={isSelected || isFirst ? 0 : -1}
        draggable={!session.isReadOnly.value}
        onClick={() => {
          session.selectedId.value = step.id;
          view.open();
        }}
        onDragStart={(event) => {
          event.dataTransfer?.setData('text/plain', title);
          draggedId.value = step.id;
        }}
        onDragEnd={() => (draggedId.value = null)}
      >
        <span class="block-number num">{number}</span>
        <Icon name={stepIcon(step)} size={16} />
        <span class="block-texts">
          <b>
            <bdi>{title}</bdi>
          </b>
          <small class="quiet">
            <bdi>{stepSummary(step, session.titles.value)}</bdi>
          </small>
        </span>
        <SideTag step={step} />
        {step.enabled ? null : <span class="tag">Disabled</span>}
        <BlockMarks view={view} node={node} />
      </button>
      {isFrame && children.length > 0 ? (
        <button
          type="button"
          class="bare"
          aria-expanded={isOpen}
          aria-label={`Steps in ${number}`}
          tabIndex={-1}
          onClick={() => view.toggle(step.id)}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={12} />
          {isOpen ? null : <small class="num">{children.length}</small>}
        </button>
      ) : null}
    </div>
  );
}

const Steps = ({
  view,
  nodes,
  parentId,
}: {
  view: FlowView;
  nodes: readonly FlowNode[];
  parentId: string | null;
}) => (
  <ol class="flow-steps">
    {nodes.map((node, position) => (
      <li key={view.session.keyOf(node.step.id)}>
        <Plus view={view} place={{ parentId, position }} />
        <StepItem view={view} node={node} />
      </li>
    ))}
    <li>
      <Plus view={view} place={{ parentId, position: nodes.length }} />
    </li>
  </ol>
);

/** Equal steps are not rendered again, so that long workflows stay quick. */
const StepItem = memo(function StepItem({ view, node }: { view: FlowView; node: FlowNode }) {
  const { step, children } = node;
  const isOpen = !view.collapsed.value.has(step.id);
  if (step.kind === 'method') return <Block view={view} node={node} />;
  return (
    <div class={`frame frame-${step.type === 'LOOP' ? 'loop' : 'if'}`}>
      <Block view={view} node={node} />
      {isOpen ? <Steps view={view} nodes={children} parentId={step.id} /> : null}
    </div>
  );
});

/** The steps of a workflow as blocks, with frames around the steps of loops and conditions. */
export function Flow({ view, head }: { view: FlowView; head: ComponentChildren }) {
  const { session } = view;
  const nodes = session.flow.value;
  const container = useRef<HTMLDivElement>(null);
  const onKeyDown = useMemo(() => handleFlowKey(view, () => container.current), [view]);
  return (
    <div class="flow" ref={container} role="group" aria-label="Steps" onKeyDown={onKeyDown}>
      {head}
      <Steps view={view} nodes={nodes} parentId={null} />
      {nodes.length === 0 ? (
        <p class="quiet flow-empty">
          Select the plus to add the first step: an operation of a connector, or any HTTP request.
        </p>
      ) : null}
      <p class="unseen" role="status" aria-live="polite">
        {view.message.value}
      </p>
    </div>
  );
}
