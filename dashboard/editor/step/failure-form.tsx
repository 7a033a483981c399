import type { MethodContentInput } from '../../generated/operations';
import type { MethodStep } from '../document';
import { useStepContext } from '../fields/step-context';

type NumberField = 'timeout' | 'retries' | 'backoff';

const NUMBERS: readonly {
  readonly name: NumberField;
  readonly label: string;
  readonly placeholder: string;
  readonly max: number;
}[] = [
  { name: 'timeout', label: 'Timeout, ms', placeholder: 'As configured', max: 3_600_000 },
  {
    name: 'retries',
    label: 'Retries',
    placeholder: 'As configured for calls that may be repeated',
    max: 10,
  },
  {
    name: 'backoff',
    label: 'Pause before the first retry, ms',
    placeholder: 'As configured',
    max: 60_000,
  },
];

const FLAGS: readonly (readonly ['required' | 'repeatable', string])[] = [
  ['required', 'Fail if data that it refers to is missing'],
  ['repeatable', 'May be sent again when a run goes on after a crash'],
];

/** What happens if a step fails or does not answer in time. */
export function FailureForm({ step }: { step: MethodStep }) {
  const { session } = useStepContext();
  const change = (method: MethodContentInput): void =>
    session.update(step.id, { method }, { isTyping: true });
  const isReadOnly = session.isReadOnly.value;
  return (
    <div class="failure-form">
      {NUMBERS.map(({ name, label, placeholder, max }) => (
        <label key={name} class="field">
          {label}
          <input
            type="number"
            min={0}
            max={max}
            placeholder={placeholder}
            disabled={isReadOnly}
            value={step[name] === null ? '' : String(step[name])}
            onInput={({ currentTarget }) =>
              change({
                [name]: currentTarget.value === '' ? null : Math.trunc(currentTarget.valueAsNumber),
              })
            }
          />
        </label>
      ))}
      <label class="field">
        Statuses that are a success
        <input
          type="text"
          placeholder="Below 400, or as the operation says"
          disabled={isReadOnly}
          value={step.successStatus ?? ''}
          onInput={({ currentTarget }) => change({ successStatus: currentTarget.value || null })}
        />
      </label>
      {FLAGS.map(([name, label]) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={step[name]}
            disabled={isReadOnly}
            onChange={({ currentTarget }) => change({ [name]: currentTarget.checked })}
          />
          {label}
        </label>
      ))}
      <p class="quiet">
        Statuses are numbers and ranges, such as 200-299, 404. Any other response ends the run,
        unless a later step uses the status, the headers or the failure of this one.
      </p>
    </div>
  );
}
