import { useRef, useState } from 'preact/hooks';
import { Button } from '../../parts/button';
import { formatJson } from '../../parts/format';
import { Icon } from '../../parts/icon';
import { sameValue } from '../../parts/values';
import { StepTextField } from '../fields/text-field';
import { useStepContext } from '../fields/step-context';

export type NamedValue = readonly [name: string, value: unknown];

const KINDS = ['Text', 'Number', 'Yes or no', 'Empty', 'JSON'] as const;
type Kind = (typeof KINDS)[number];

function kindOf(value: unknown): Kind {
  if (value === null) return 'Empty';
  if (typeof value === 'number') return 'Number';
  if (typeof value === 'boolean') return 'Yes or no';
  return typeof value === 'string' ? 'Text' : 'JSON';
}

const textOf = (value: unknown): string => (value === null ? '' : formatJson(value));

/** Converts a value to another kind, as far as its text allows. */
function convert(value: unknown, kind: Kind): unknown {
  const text = textOf(value);
  switch (kind) {
    case 'Text':
      return text;
    case 'Number':
      return Number(text) || 0;
    case 'Yes or no':
      return text === 'true';
    case 'Empty':
      return null;
    case 'JSON':
      try {
        const parsed: unknown = JSON.parse(text);
        return typeof parsed === 'object' && parsed !== null ? parsed : {};
      } catch {
        return {};
      }
  }
}

/** Edits JSON as text. Text that is no JSON stays in the field, with the reason. */
export function JsonField({
  label,
  value,
  path,
  isLabelHidden = false,
  onChange,
}: {
  label: string;
  value: unknown;
  path?: string;
  isLabelHidden?: boolean;
  onChange: (value: unknown) => void;
}) {
  const sent = useRef<unknown>(value);
  const [text, setText] = useState(textOf(value));
  const [problem, setProblem] = useState<string | null>(null);
  if (sent.current !== value && problem === null) {
    sent.current = value;
    if (!sameValue(safeParse(text), value)) setText(textOf(value));
  }
  return (
    <>
      <StepTextField
        label={label}
        isLabelHidden={isLabelHidden}
        isMultiline
        isValueHidden
        value={text}
        {...(path === undefined ? {} : { path })}
        onChange={(changed) => {
          setText(changed);
          try {
            const parsed: unknown = changed.trim() === '' ? null : JSON.parse(changed);
            setProblem(null);
            sent.current = parsed;
            onChange(parsed);
          } catch (error) {
            setProblem(`Not saved yet: this is not valid JSON. ${(error as Error).message}`);
          }
        }}
      />
      {problem === null ? null : <p class="bad step-field-problem">{problem}</p>}
    </>
  );
}

const safeParse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

function ValueField({
  label,
  value,
  path,
  onChange,
}: {
  label: string;
  value: unknown;
  path: string;
  onChange: (value: unknown) => void;
}) {
  const kind = kindOf(value);
  switch (kind) {
    case 'Number':
      return (
        <input
          type="number"
          step="any"
          aria-label={label}
          value={String(value)}
          onInput={({ currentTarget }) => {
            if (Number.isFinite(currentTarget.valueAsNumber)) onChange(currentTarget.valueAsNumber);
          }}
        />
      );
    case 'Yes or no':
      return (
        <select
          aria-label={label}
          value={String(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value === 'true')}
        >
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      );
    case 'Empty':
      return <span class="quiet">null</span>;
    case 'JSON':
      return (
        <JsonField label={label} isLabelHidden value={value} path={path} onChange={onChange} />
      );
    case 'Text':
      return (
        <StepTextField
          label={label}
          isLabelHidden
          value={String(value)}
          path={path}
          onChange={onChange}
        />
      );
  }
}

/** Names and values in a table. A row without a name is not saved yet. */
export function FieldRows({
  title,
  noun,
  rows,
  path,
  hasKinds = false,
  help,
  onChange,
}: {
  title: string;
  /** What a row is: `header`. */
  noun: string;
  rows: readonly NamedValue[];
  /** Path of the object in the step: `request.header`. */
  path: string;
  /** Values may be other than text. */
  hasKinds?: boolean;
  help?: string;
  onChange: (rows: readonly NamedValue[]) => void;
}) {
  const isReadOnly = useStepContext().session.isReadOnly.value;
  const [added, setAdded] = useState<readonly NamedValue[]>([]);
  const all = [...rows, ...added];
  const put = (at: number, row: NamedValue | null): void => {
    const changed = row === null ? all.toSpliced(at, 1) : all.with(at, row);
    const isRepeated = (name: string, position: number): boolean =>
      changed.findIndex(([other]) => other === name) !== position;
    setAdded(changed.filter(([name], position) => name === '' || isRepeated(name, position)));
    onChange(changed.filter(([name], position) => name !== '' && !isRepeated(name, position)));
  };
  return (
    <fieldset class="field-rows" disabled={isReadOnly}>
      <legend>{title}</legend>
      {help === undefined ? null : <p class="quiet step-field-help">{help}</p>}
      {all.map(([name, value], at) => (
        <div class={hasKinds ? 'field-row field-row-kinds' : 'field-row'} key={at}>
          <input
            type="text"
            aria-label={`Name of ${noun} ${at + 1}`}
            placeholder="Name"
            value={name}
            onChange={({ currentTarget }) => put(at, [currentTarget.value.trim(), value])}
          />
          {hasKinds ? (
            <select
              aria-label={`Type of ${name || `${noun} ${at + 1}`}`}
              value={kindOf(value)}
              onChange={({ currentTarget }) =>
                put(at, [name, convert(value, currentTarget.value as Kind)])
              }
            >
              {KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {kind}
                </option>
              ))}
            </select>
          ) : null}
          <ValueField
            label={`Value of ${name || `${noun} ${at + 1}`}`}
            value={value}
            path={`${path}.${name}`}
            onChange={(changed) => put(at, [name, changed])}
          />
          <button
            type="button"
            class="bare"
            aria-label={`Remove ${name || `${noun} ${at + 1}`}`}
            onClick={() => put(at, null)}
          >
            <Icon name="cross" size={12} />
          </button>
        </div>
      ))}
      {isReadOnly ? null : (
        <Button class="button quiet-button" onClick={() => setAdded([...added, ['', '']])}>
          <Icon name="plus" size={12} />
          <span>Add {noun}</span>
        </Button>
      )}
    </fieldset>
  );
}
