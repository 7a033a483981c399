import type { ComponentChildren } from 'preact';
import { formatDateTime, formatDuration } from '../parts/format';
import { Icon } from '../parts/icon';
import { ErrorText, Fact } from '../parts/page';
import { RunStateLabel } from '../parts/runs/run-state';
import { Loading } from '../parts/states';
import { setQuery } from '../router';
import { ErrorExchange, EventExchange, LogExchange } from './exchange';
import { MISSING_TEXTS } from './missing-reason';
import type { MissingReason } from './missing-reason';
import type { EngineMessage, StepResult } from './run-results';
import { closedStepParameter, stepElementId, stepNumber } from './step-tree';
import type { StepNode } from './step-tree';

/** The selected step, next to the list, or over it on small screens. */
export function StepCard({
  node: { title, index },
  failedAt = null,
  state,
  children,
}: {
  node: StepNode;
  failedAt?: string | null;
  state: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="card details" aria-label="Selected step">
      <div class="card-head">
        <h2>
          <bdi>{title}</bdi>
        </h2>
        {state}
        <button
          type="button"
          class="bare"
          aria-label="Close the step"
          data-next={`#${stepElementId(index)}`}
          onClick={() => setQuery({ step: closedStepParameter(failedAt) }, { replace: true })}
        >
          <Icon name="cross" size={14} />
        </button>
      </div>
      {children}
    </section>
  );
}

/** What a step calls or evaluates. */
export function StepSubject({ node: { detail, kind } }: { node: StepNode }) {
  if (detail === null) return null;
  return (
    <Fact name={{ method: 'Calls', if: 'Condition', loop: 'List' }[kind]}>
      <code>{detail}</code>
    </Fact>
  );
}

/** Formats the iterations of the enclosing loops, innermost first. */
const formatIterations = (iterations: readonly number[]): string =>
  iterations
    .map((iteration) => `iteration ${iteration + 1}`)
    .reverse()
    .join(' in ');

interface StepResultProps {
  readonly node: StepNode;
  /** Iterations of the enclosing loops. */
  readonly iterations: readonly number[];
  readonly result: StepResult | undefined;
}

function StepFacts({ node, iterations, result }: StepResultProps) {
  return (
    <dl class="facts">
      <Fact name="Step" isNumber>
        {stepNumber(node.index)}
        {iterations.length === 0 ? '' : `, ${formatIterations(iterations)}`}
      </Fact>
      <StepSubject node={node} />
      {result === undefined ? null : (
        <Fact name="Started" isNumber>
          {formatDateTime(result.startedAt)}
        </Fact>
      )}
      {result?.durationMs == null ? null : (
        <Fact name="Duration" isNumber>
          {formatDuration(result.durationMs)}
        </Fact>
      )}
      {result?.result == null ? null : <Fact name="Result">{String(result.result)}</Fact>}
      {result?.size == null ? null : (
        <Fact name="Iterations" isNumber>
          {result.startedIterations} of {result.size}
        </Fact>
      )}
      {result !== undefined && result.attempts > 1 ? (
        <Fact name="Attempts" isNumber>
          {result.attempts}
        </Fact>
      ) : null}
    </dl>
  );
}

function MissingResult({ reason, isInLoop }: { reason: MissingReason; isInLoop: boolean }) {
  if (reason === 'loading') return <Loading rows={3} name="the result of the step" />;
  return (
    <p class="quiet">
      {reason === 'not-run' && !isInLoop ? 'This step has not run.' : MISSING_TEXTS[reason]}
    </p>
  );
}

const StepWarnings = ({ warnings }: { warnings: readonly EngineMessage[] }) => (
  <>
    {warnings.map(({ sequence, message }) => (
      <p key={sequence} class="step-warning">
        <b class="warn">Warning</b> <bdi dir="ltr">{message}</bdi>
      </p>
    ))}
  </>
);

/** What the selected step did in the selected iterations. */
export function StepDetails({
  runId,
  node,
  failedAt,
  iterations,
  result,
  isUnread,
  runError,
  missing,
  isExchangeStored,
  hasErrorExchange,
  warnings,
  actions,
}: StepResultProps & {
  runId: string;
  actions: ComponentChildren;
  /** The step of an ended run has started, but its end was not read yet. */
  isUnread: boolean;
  /** Index of the step that ended the run. */
  failedAt: string | null;
  /** Error of the run if it is about this step and the step has none. */
  runError: string | null;
  /** Why there is no result. */
  missing: MissingReason;
  isExchangeStored: boolean;
  /** Whether the exchange is the one that is kept with the error of the run. */
  hasErrorExchange: boolean;
  /** Warnings of this step. */
  warnings: readonly EngineMessage[];
}) {
  const hasState =
    result !== undefined && !isUnread && (node.kind !== 'if' || result.error !== null);
  return (
    <StepCard
      node={node}
      failedAt={failedAt}
      state={hasState ? <RunStateLabel state={result.state} /> : null}
    >
      <StepFacts node={node} iterations={iterations} result={result} />
      {actions}
      {result?.error ? (
        <p class="error-box">
          <ErrorText error={result.error} />
        </p>
      ) : null}
      <StepWarnings warnings={warnings} />
      {runError === null ? null : <p class="error-box">{runError}</p>}
      {result === undefined || isUnread ? (
        <MissingResult reason={missing} isInLoop={iterations.length > 0} />
      ) : null}
      {hasErrorExchange ? (
        <ErrorExchange runId={runId} />
      ) : node.kind === 'method' && result?.finishedSequence != null ? (
        <EventExchange
          key={result.finishedSequence}
          runId={runId}
          sequence={result.finishedSequence}
          isStored={isExchangeStored}
        />
      ) : null}
      {result?.elementId == null ? null : (
        <LogExchange key={result.elementId} elementId={result.elementId} />
      )}
    </StepCard>
  );
}
