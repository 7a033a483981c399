import { useState } from 'preact/hooks';
import { toFailure } from '../../api/failure';
import { request } from '../../api/request';
import { CheckConnectorDocument } from '../../generated/operations';
import type { CheckConnectorMutation, ConnectorCheckInput } from '../../generated/operations';
import { Button } from '../../parts/button';
import { Icon } from '../../parts/icon';

/** A part of a check: whether it succeeded, or null if it was not reached. */
interface Stage {
  readonly title: string;
  readonly isOk: boolean | null;
  readonly text: string;
}

const INPUTS = 'Check the input';
const REACH = 'Reach the system';
const SIGN_IN = 'Sign in';

const NOT_REACHED: Stage = { title: SIGN_IN, isOk: null, text: 'Not tried.' };

/** Returns the stages of a check: where it stopped, and why. */
async function check(input: ConnectorCheckInput): Promise<readonly Stage[]> {
  const { connectorCheck } = await request(CheckConnectorDocument, { input });
  const { check: result, userErrors } = connectorCheck;
  const [error] = userErrors;
  if (error?.code === 'COMMUNICATION_FAILED')
    return [{ title: REACH, isOk: false, text: error.message }, NOT_REACHED];
  if (error !== undefined || result === null)
    return [
      {
        title: INPUTS,
        isOk: false,
        text: userErrors.map(({ message }) => message).join(' '),
      },
      { title: REACH, isOk: null, text: 'Not tried.' },
      NOT_REACHED,
    ];
  return [{ title: REACH, isOk: true, text: 'It responded.' }, signInOf(result, input)];
}

type Result = NonNullable<CheckConnectorMutation['connectorCheck']['check']>;

function signInOf(
  { accepted, status, error }: Result,
  { id, requestData = [] }: ConnectorCheckInput,
): Stage {
  if (accepted) return { title: SIGN_IN, isOk: true, text: 'The system accepts the credentials.' };
  // The service has this text for every 401 without a reason.
  const reason = error === 'Error in remote system' ? 'status 401' : (error ?? status);
  const hint =
    id != null && requestData.length > 0
      ? 'Saved hidden values are not sent to a changed address: enter them to test it.'
      : 'Check the values and test again.';
  return {
    title: SIGN_IN,
    isOk: false,
    text: `The system refuses the credentials (${reason}). ${hint}`,
  };
}

function StageItem({ stage: { title, isOk, text } }: { stage: Stage }) {
  const [style, icon] =
    isOk === null
      ? (['pending', 'slash'] as const)
      : isOk
        ? (['succeeded', 'check'] as const)
        : (['failed', 'cross'] as const);
  return (
    <li>
      <span class={`state state-${style}`}>
        <Icon name={icon} size={13} />
        {title}
      </span>{' '}
      <bdi dir="ltr">{text}</bdi>
    </li>
  );
}

/**
 * Tests the values of the form around a button, before they are saved.
 * @param inputOf reads what to test from the form
 */
export function useCheck(
  inputOf: (values: FormData) => ConnectorCheckInput,
  onTested?: () => Promise<void>,
) {
  const [stages, setStages] = useState<readonly Stage[] | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const start = async (form: HTMLFormElement): Promise<void> => {
    setIsBusy(true);
    setStages(null);
    try {
      setStages(await check(inputOf(new FormData(form))));
      await onTested?.();
    } catch (error) {
      setStages([{ title: REACH, isOk: false, text: toFailure(error).message }]);
    } finally {
      setIsBusy(false);
    }
  };
  const button = (
    <Button
      class="button"
      isDisabled={isBusy}
      onClick={({ currentTarget }) => {
        const form = currentTarget.closest('form');
        if (form !== null) void start(form);
      }}
    >
      <Icon name="bolt" size={14} />
      <span>Test</span>
    </Button>
  );
  const result = (
    <div class="check-result" role="status">
      {isBusy ? <p class="quiet">Calling the system…</p> : null}
      {stages === null ? null : (
        <ol class="stages" aria-label="Result of the test">
          {stages.map((stage) => (
            <StageItem key={stage.title} stage={stage} />
          ))}
        </ol>
      )}
    </div>
  );
  return { button, result };
}
