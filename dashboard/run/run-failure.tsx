import type { RunQuery } from '../generated/operations';
import { ErrorText } from '../parts/page';
import { ContinueActions } from '../parts/runs/run-actions';
import { href } from '../router';
import { stepNumber } from './step-tree';

type Run = NonNullable<RunQuery['run']>;

/** The address of a step in the editor, or null if the user cannot change its workflow. */
const editAddress = ({ workflow }: Run, stepId: string | null): string | null =>
  workflow?.viewerCan.update && stepId !== null
    ? href(`workflows/${workflow.databaseId}/edit`, { step: stepId, tab: 'answer' })
    : null;

/** Opens a step in the editor, with its last answer. */
export function EditStepLink({ run, stepId }: { run: Run; stepId: string | null }) {
  const to = editAddress(run, stepId);
  return to === null ? null : (
    <a class="button" href={to}>
      Edit this step
    </a>
  );
}

/** Plain text with names between backticks. */
function TextWithCode({ text }: { text: string }) {
  return (
    <>
      {text
        .split('`')
        .map((part, at) =>
          at % 2 === 1 ? <code key={at}>{part}</code> : <span key={at}>{part}</span>,
        )}
    </>
  );
}

/** Why a run failed, what to do about it, and the actions for its failed step. */
export function RunFailure({ run }: { run: Run }) {
  const { databaseId, error } = run;
  if (!error) return null;
  return (
    <section class="error-box run-failure" aria-label="Failure">
      <p role="alert">
        <ErrorText error={error} />
        {error.index === null ? null : (
          <>
            {' '}
            <a href={href(`runs/${databaseId}`, { step: error.index })}>
              Step {stepNumber(error.index)}
            </a>
            {error.attempt > 1 ? `, attempt ${error.attempt}` : ''}
          </>
        )}
      </p>
      {error.remedy === null ? null : (
        <p>
          <b>What to do:</b> <TextWithCode text={error.remedy} />
        </p>
      )}
      <div class="failure-actions">
        <ContinueActions run={run} />
        <EditStepLink run={run} stepId={error.stepId} />
      </div>
    </section>
  );
}
