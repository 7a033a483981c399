import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../parts/button';
import { Icon } from '../../parts/icon';
import type { IconName } from '../../parts/icon';
import { route, setQuery } from '../../router';
import type { FlowNode, MethodStep, StepChanges } from '../document';
import { StepContext } from '../fields/step-context';
import type { StepContextValue } from '../fields/step-context';
import { stepTitle } from '../fields/references';
import { copyToClipboard, duplicateStep } from '../flow/clipboard';
import type { FlowView } from '../flow/flow';
import { moveStep, report } from '../flow/flow-keys';
import { SideTag } from '../flow/side-tag';
import { removeStep } from '../flow/remove-step';
import type { StepOutcomes } from '../test/outcomes';
import { startTest } from '../test/test-strip';
import { AnswerTab } from './answer-tab';
import { ConnectorForm } from './connector-form';
import { CurlField } from './curl-field';
import { ExpressionForm } from './expression-form';
import { FailureForm } from './failure-form';
import { RequestForm } from './request-form';
import { ScriptList } from './script-list';

const KINDS: readonly (readonly [string, string])[] = [
  ['CONNECTOR', 'Operation of a connector'],
  ['HTTP_REQUEST', 'HTTP request'],
  ['WEBHOOK', 'Webhook'],
];

const TABS: readonly (readonly [string, string])[] = [
  ['request', 'Request'],
  ['answer', 'Answer'],
  ['failure', 'If it fails'],
  ['script', 'Script'],
];

/** The kind of a call, also of one from before kinds existed. */
const kindOf = ({ methodType, connector }: MethodStep): string =>
  methodType ?? ((connector?.connectorId ?? 0) > 0 ? 'CONNECTOR' : 'HTTP_REQUEST');

function StepActions({ view, node }: { view: FlowView; node: FlowNode }) {
  const { session } = view;
  const actions: readonly (readonly [IconName, string, () => void])[] = [
    ['up', 'Move up', () => moveStep(view, node, 'up')],
    ['down', 'Move down', () => moveStep(view, node, 'down')],
    ['right', 'Move into the frame above', () => moveStep(view, node, 'in')],
    ['left', 'Move out of the frame', () => moveStep(view, node, 'out')],
    ['plus', 'Duplicate', () => report(duplicateStep(session, node))],
    ['copy', 'Copy', () => report(copyToClipboard(session, node))],
    ['trash', 'Remove', () => removeStep(session, node)],
  ];
  return (
    <div class="step-actions" role="group" aria-label="Actions of the step">
      {actions.map(([icon, label, run]) => (
        <button
          key={label}
          type="button"
          class="bare"
          aria-label={label}
          title={label}
          onClick={run}
        >
          <Icon name={icon} size={14} />
        </button>
      ))}
    </div>
  );
}

function Tabs({ current }: { current: string }) {
  return (
    <div class="segments step-tabs" role="group" aria-label="Parts of the step">
      {TABS.map(([value, text]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === current}
          onClick={() => setQuery({ tab: value === 'request' ? null : value }, { replace: true })}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

function CallForm({ step, outcomes }: { step: MethodStep; outcomes: StepOutcomes }) {
  const tab = route.value.query.get('tab') ?? 'request';
  const contents: Readonly<Record<string, () => ComponentChildren>> = {
    request: () =>
      kindOf(step) === 'CONNECTOR' ? (
        <ConnectorForm step={step} />
      ) : (
        <>
          <RequestForm step={step} />
          <CurlField step={step} />
        </>
      ),
    answer: () => <AnswerTab step={step} outcomes={outcomes} />,
    failure: () => <FailureForm step={step} />,
    script: () => <ScriptList step={step} />,
  };
  return (
    <>
      <Tabs current={tab} />
      <div class="step-form">{(contents[tab] ?? contents.request)?.()}</div>
    </>
  );
}

function StepHead({
  view,
  node,
  onClose,
}: {
  view: FlowView;
  node: FlowNode;
  onClose: () => void;
}) {
  const { session } = view;
  const { step, number } = node;
  const isReadOnly = session.isReadOnly.value;
  const nameField = step.kind === 'method' && kindOf(step) === 'CONNECTOR' ? 'label' : 'name';
  const change = (changes: StepChanges): void =>
    session.update(step.id, changes, { isTyping: true });
  return (
    <div class="step-head">
      <span class="quiet num">{number}</span>
      {step.kind === 'operator' ? (
        <h2>{stepTitle(step)}</h2>
      ) : (
        <>
          <input
            class="step-name"
            type="text"
            aria-label="Name of the step"
            placeholder="Name of the step"
            disabled={isReadOnly}
            value={step[nameField] ?? ''}
            onInput={({ currentTarget }) =>
              change({ method: { [nameField]: currentTarget.value } })
            }
            onBlur={() => session.flush()}
          />
          <select
            aria-label="Kind of the step"
            disabled={isReadOnly}
            value={kindOf(step)}
            onChange={({ currentTarget }) =>
              change({ method: { methodType: currentTarget.value as MethodStep['methodType'] } })
            }
          >
            {KINDS.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </>
      )}
      <SideTag step={step} />
      {isReadOnly ? null : <StepActions view={view} node={node} />}
      <button type="button" class="bare" aria-label="Close the step" onClick={onClose}>
        <Icon name="cross" size={14} />
      </button>
    </div>
  );
}

/** Tests of a part of the workflow, and the switch that disables the step. */
function StepTests({ view, node }: { view: FlowView; node: FlowNode }) {
  const { session, outcomes } = view;
  const { step } = node;
  if (session.isReadOnly.value) return null;
  const test = (options: { until?: string; only?: string }) => (): void =>
    report(startTest(session, outcomes, options));
  const setEnabled = (enabled: boolean): void =>
    session.update(
      step.id,
      step.kind === 'method' ? { method: { enabled } } : { operator: { enabled } },
    );
  return (
    <div class="step-tests">
      <Button class="button quiet-button" onClick={test({ until: step.id })}>
        <Icon name="play" size={12} />
        <span>Test to here</span>
      </Button>
      {step.kind === 'method' ? (
        <Button class="button quiet-button" onClick={test({ only: step.id })}>
          <Icon name="play" size={12} />
          <span>Test this step only</span>
        </Button>
      ) : null}
      <label class="check">
        <input
          type="checkbox"
          checked={step.enabled}
          onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
        />
        Enabled
      </label>
    </div>
  );
}

/** Why the edits of this step are not saved. */
function StepProblem({ view, node }: { view: FlowView; node: FlowNode }) {
  const { session } = view;
  const problem = session.problemOf(node.step.id);
  if (problem === null) return null;
  const { entry, reason } = problem;
  const isRejected = entry.failure !== null;
  return (
    <div class={isRejected ? 'error-box' : 'note-box'} role="status">
      <p>
        {isRejected ? 'Not saved: ' : 'Not saved yet: '}
        {reason}
      </p>
      <div class="picker-actions">
        {isRejected ? (
          <Button class="button" onClick={() => session.sendAgain(entry)}>
            Try again
          </Button>
        ) : null}
        <Button class="button quiet-button" onClick={() => session.discard(entry)}>
          Discard this change
        </Button>
      </div>
    </div>
  );
}

/** The selected step: its name, its fields, and what can be done with it. */
export function StepPanel({
  view,
  samples,
  onClose,
}: {
  view: FlowView;
  samples: StepContextValue['samples'];
  onClose: () => void;
}) {
  const { session } = view;
  const node = session.selected.value;
  const panel = useRef<HTMLElement>(null);
  const stepId = node?.step.id;
  useEffect(() => {
    if (panel.current !== null) panel.current.scrollTop = 0;
  }, [stepId]);
  if (node === null) return null;
  return (
    <section
      ref={panel}
      class="step-panel card"
      aria-label="Selected step"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <StepContext.Provider value={{ session, samples, node }}>
        <StepHead view={view} node={node} onClose={onClose} />
        <StepTests view={view} node={node} />
        <StepProblem view={view} node={node} />
        {node.step.kind === 'operator' ? (
          <div class="step-form">
            <ExpressionForm key={session.keyOf(node.step.id)} step={node.step} />
          </div>
        ) : (
          <CallForm key={session.keyOf(node.step.id)} step={node.step} outcomes={view.outcomes} />
        )}
      </StepContext.Provider>
    </section>
  );
}
