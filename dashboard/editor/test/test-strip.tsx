import { useEffect, useMemo } from 'preact/hooks';
import { useQuery } from '../../api/hooks';
import { request } from '../../api/request';
import { CancelRunDocument, StartTestDocument, TestRunDocument } from '../../generated/operations';
import { Action, throwUserError } from '../../parts/action';
import { Icon } from '../../parts/icon';
import { FailureText } from '../../parts/request-id';
import { notify } from '../../parts/notices';
import { hasEnded, RunStateLabel } from '../../parts/runs/run-state';
import { href } from '../../router';
import { useRunEvents } from '../../run/use-run-events';
import { stepTitle } from '../fields/references';
import type { EditSession } from '../session';
import type { StepOutcomes } from './outcomes';

/** Saves what waits, and starts a test of the workflow. */
export async function startTest(
  session: EditSession,
  outcomes: StepOutcomes,
  { until, only }: { readonly until?: string; readonly only?: string } = {},
): Promise<void> {
  await session.settled();
  const { testRunStart } = await request(StartTestDocument, {
    input: {
      workflowId: session.id,
      ...(until === undefined ? {} : { until: session.idOf(until) }),
      ...(only === undefined ? {} : { only: session.idOf(only) }),
    },
  });
  const { run, userErrors } = testRunStart;
  for (const { message } of userErrors) notify(message, { isError: true });
  if (run === null) return;
  outcomes.begin(String(run.databaseId), session.saved.value.steps);
}

/** Messages name steps by their index, for which the editor shows numbers. */
const withoutIndex = (message: string): string => message.replace(/ \(\d+(?:_\d+)*\)/, '');

/** Follows a test: its state, the step it is at, what failed; the blocks of the flow show the rest. */
export function TestStrip({
  session,
  outcomes,
  onEnd,
}: {
  session: EditSession;
  outcomes: StepOutcomes;
  /** Called when the test has ended: its answers can be read. */
  onEnd: () => void;
}) {
  const runId = outcomes.runId.value ?? '';
  const query = useQuery(TestRunDocument, { id: runId });
  const run = query.data?.run ?? null;
  const isOver = run !== null && hasEnded(run.state);
  const { results, failure } = useRunEvents(runId, true, isOver, query.reload);
  useMemo(() => outcomes.publish(results), [results.sequence, results.endState]);
  useEffect(() => {
    if (isOver) onEnd();
  }, [isOver]);
  const failed = run?.error ?? null;
  const failedNode = failed?.stepId == null ? undefined : session.nodeOf(failed.stepId);
  const calls = [...results.steps.values()].filter(({ kind }) => kind === 'method');
  const callCount = calls.reduce((sum, { starts }) => sum + starts, 0);
  return (
    <section class="test-strip card" aria-label="Test">
      <b>Test</b>
      {run === null ? null : <RunStateLabel state={run.state} />}
      <span class="quiet num">{callCount === 1 ? '1 request' : `${callCount} requests`}</span>
      <span class="test-message" role="status">
        {failed === null ? null : (
          <>
            {failedNode === undefined ? null : (
              <button
                type="button"
                class="link"
                onClick={() => (session.selectedId.value = failedNode.step.id)}
              >
                {failedNode.number} {stepTitle(failedNode.step)}
              </button>
            )}{' '}
            <bdi class="bad">{withoutIndex(failed.message)}</bdi>
          </>
        )}
        {failure === null ? null : (
          <span class="bad">
            <FailureText failure={failure} />
          </span>
        )}
      </span>
      {isOver ? null : (
        <Action
          icon="stop"
          text="Cancel"
          label="Cancel the test"
          run={async () => {
            const { runCancel } = await request(CancelRunDocument, { id: runId });
            throwUserError(runCancel.userErrors);
          }}
        />
      )}
      <a href={href(`runs/${runId}`)}>Open the run</a>
      <button type="button" class="bare" aria-label="Close the test" onClick={() => outcomes.end()}>
        <Icon name="cross" size={14} />
      </button>
    </section>
  );
}
