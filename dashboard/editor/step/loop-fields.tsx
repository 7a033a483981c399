import { Select } from '../../parts/fields';
import type { OperatorStep } from '../document';
import { useStepContext } from '../fields/step-context';
import type { ExpressionForm } from './expression-form';
import { OperandField } from './operand-field';

type Loop = NonNullable<ExpressionForm['loop']>;

const KINDS: readonly (readonly [Loop['kind'], string, string])[] = [
  ['FOR', 'each element of a list', 'List'],
  ['FOR_IN', 'each field of an object', 'Object'],
  ['SPLIT_STRING', 'each part of a text', 'Text'],
];

/** What a loop iterates over, and the name of its variable. */
export function LoopFields({
  step,
  loop,
  onChange,
}: {
  step: OperatorStep;
  loop: Loop;
  onChange: (loop: Loop) => void;
}) {
  const { session } = useStepContext();
  const label = KINDS.find(([kind]) => kind === loop.kind)?.[2] ?? 'List';
  return (
    <>
      <Select
        label="Repeat for"
        value={loop.kind}
        options={KINDS.map(([value, text]) => ({ value, text }))}
        onChange={(value) => {
          const kind = value as Loop['kind'];
          onChange({
            ...loop,
            kind,
            delimiter: kind === 'SPLIT_STRING' ? (loop.delimiter ?? ',') : null,
          });
        }}
      />
      <OperandField
        label={label}
        operand={loop.list}
        placeholder="Choose data of an earlier step"
        onChange={(list) => onChange({ ...loop, list })}
      />
      {loop.kind === 'SPLIT_STRING' ? (
        <label class="field">
          Separator
          <input
            type="text"
            value={loop.delimiter ?? ''}
            onInput={({ currentTarget }) => onChange({ ...loop, delimiter: currentTarget.value })}
          />
        </label>
      ) : null}
      <label class="field">
        Name of the current element
        <input
          type="text"
          value={step.iterator ?? ''}
          placeholder="Chosen by depth: i, j, k"
          onChange={({ currentTarget }) =>
            session.update(step.id, { operator: { iterator: currentTarget.value || null } })
          }
        />
      </label>
    </>
  );
}
