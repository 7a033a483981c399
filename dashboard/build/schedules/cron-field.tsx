import { useState } from 'preact/hooks';
import { Field, Select } from '../../parts/fields';
import type { Option } from '../../parts/fields';
import { useInvalid } from '../../parts/form';
import { CRON_FIELDS, cronOf, fieldsOfCron, repetitionOf, WEEKDAYS, withCronField } from './cron';
import type { Repetition } from './cron';

type Kind = Repetition['kind'] | 'fields';

const KINDS: Readonly<Record<Kind, string>> = {
  never: 'Only on demand',
  minutes: 'Every few minutes',
  hourly: 'Every hour',
  daily: 'Every day',
  weekdays: 'Monday to Friday',
  weekly: 'Every week',
  monthly: 'Every month',
  fields: 'Other times',
};
/** Divisors of an hour, so that the distance is the same over the hour. */
const MINUTES = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30];
const DEFAULT_TIME = '06:00';

const optionsOf = (texts: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(texts).map(([value, text]) => ({ value, text }));
const numbered = (values: readonly number[], text: (value: number) => string): readonly Option[] =>
  values.map((value) => ({ value: String(value), text: text(value) }));
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_item, at) => from + at);

const DAYS_OF_MONTH: readonly Option[] = [
  ...numbered(range(1, 31), (day) => `Day ${day}`),
  { value: 'L', text: 'Last day' },
];

/** Returns a repetition of another kind, with the time of the present one. */
function changeKind(kind: Exclude<Kind, 'fields'>, before: Repetition | null): Repetition {
  const time = before !== null && 'time' in before ? before.time : DEFAULT_TIME;
  switch (kind) {
    case 'never':
      return { kind };
    case 'minutes':
      return { kind, every: 5 };
    case 'hourly':
      return { kind, minute: 0 };
    case 'daily':
    case 'weekdays':
      return { kind, time };
    case 'weekly':
      return { kind, day: 'MON', time };
    case 'monthly':
      return { kind, dayOfMonth: '1', time };
  }
}

function TimeInput({ value, onChange }: { value: string; onChange: (time: string) => void }) {
  return (
    <Field label="At">
      <input
        type="time"
        value={value}
        required
        onInput={({ currentTarget }) => {
          if (currentTarget.value !== '') onChange(currentTarget.value);
        }}
      />
    </Field>
  );
}

/** The inputs of a repetition next to its kind. */
function RepetitionInputs({
  repetition,
  onChange,
}: {
  repetition: Repetition;
  onChange: (repetition: Repetition) => void;
}) {
  if (repetition.kind === 'never') return null;
  if (repetition.kind === 'minutes')
    return (
      <Select
        label="Interval"
        value={String(repetition.every)}
        options={numbered(MINUTES, (each) =>
          each === 1 ? 'Every minute' : `Every ${each} minutes`,
        )}
        onChange={(every) => onChange({ kind: 'minutes', every: Number(every) })}
      />
    );
  if (repetition.kind === 'hourly')
    return (
      <Select
        label="At minute"
        value={String(repetition.minute)}
        options={numbered(range(0, 59), String)}
        onChange={(minute) => onChange({ kind: 'hourly', minute: Number(minute) })}
      />
    );
  return (
    <>
      {repetition.kind === 'weekly' ? (
        <Select
          label="On"
          value={repetition.day}
          options={optionsOf(WEEKDAYS)}
          onChange={(day) => onChange({ ...repetition, day })}
        />
      ) : null}
      {repetition.kind === 'monthly' ? (
        <Select
          label="On"
          value={repetition.dayOfMonth}
          options={DAYS_OF_MONTH}
          onChange={(dayOfMonth) => onChange({ ...repetition, dayOfMonth })}
        />
      ) : null}
      <TimeInput value={repetition.time} onChange={(time) => onChange({ ...repetition, time })} />
    </>
  );
}

/**
 * When a schedule is due: in words, by the fields of a cron expression, or as its text. All three
 * show the same expression, the field `cron` of the form.
 */
export function CronField({ cron, onChange }: { cron: string; onChange: (cron: string) => void }) {
  const [isByFields, setIsByFields] = useState(false);
  const isInvalid = useInvalid('cron');
  const repetition = repetitionOf(cron);
  const kind = isByFields || repetition === null ? 'fields' : repetition.kind;
  const selectKind = (value: string): void => {
    setIsByFields(value === 'fields');
    if (value !== 'fields') onChange(cronOf(changeKind(value as Repetition['kind'], repetition)));
  };
  return (
    <div class="form-group" role="group" aria-label="When">
      <Select label="Runs" value={kind} options={optionsOf(KINDS)} onChange={selectKind} />
      {kind === 'fields' || repetition === null ? (
        <div class="cron-fields">
          {CRON_FIELDS.map((name, at) => (
            <Field key={name} label={name}>
              <input
                type="text"
                value={fieldsOfCron(cron)[at]}
                onChange={({ currentTarget }) =>
                  onChange(withCronField(cron, at, currentTarget.value))
                }
              />
            </Field>
          ))}
        </div>
      ) : (
        <RepetitionInputs
          repetition={repetition}
          onChange={(changed) => onChange(cronOf(changed))}
        />
      )}
      <Field label="Cron expression">
        <input
          type="text"
          name="cron"
          class="mono"
          autocomplete="off"
          spellcheck={false}
          value={cron}
          aria-invalid={isInvalid}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </Field>
    </div>
  );
}
