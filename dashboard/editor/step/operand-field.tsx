import type { OperandFragment } from '../../generated/operations';
import { findReferences } from '../fields/references';
import { useStepContext } from '../fields/step-context';
import { StepTextField } from '../fields/text-field';

const KINDS: readonly (readonly [OperandFragment['kind'], string])[] = [
  ['TEXT', 'Text'],
  ['REFERENCE', 'Data'],
  ['NUMBER', 'Number'],
  ['BOOLEAN', 'True or false'],
  ['NULL', 'Nothing'],
  ['EXPRESSION', 'Expression'],
];

/** Returns the kind of a typed text: data if it is one reference, an expression if it has some. */
function kindOf(text: string, before: OperandFragment['kind']): OperandFragment['kind'] {
  const references = findReferences(text);
  const [first] = references;
  if (first?.kind === 'step' && first.from === 0 && first.to === text.length) return 'REFERENCE';
  if (references.length > 0) return 'EXPRESSION';
  return before === 'REFERENCE' || before === 'NULL' ? 'TEXT' : before;
}

/** A value in a rule or loop: text, data of a step, or an expression. */
export function OperandField({
  label,
  operand: { kind, text },
  placeholder,
  onChange,
}: {
  label: string;
  operand: OperandFragment;
  placeholder?: string;
  onChange: (operand: OperandFragment) => void;
}) {
  const { session } = useStepContext();
  return (
    <div class="operand">
      <StepTextField
        label={label}
        isExpression={kind !== 'TEXT'}
        value={kind === 'NULL' ? '' : text}
        {...(placeholder === undefined ? {} : { placeholder })}
        onChange={(changed) => {
          if (kind !== 'NULL' || changed !== '')
            onChange({ kind: kindOf(changed, kind), text: changed });
        }}
      />
      <select
        aria-label={`Type of ${label}`}
        disabled={session.isReadOnly.value}
        value={kind}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value as OperandFragment['kind'];
          const texts: Partial<Record<typeof chosen, string>> = {
            NULL: 'null',
            BOOLEAN: text === 'false' ? 'false' : 'true',
            NUMBER: String(Number(text) || 0),
          };
          onChange({ kind: chosen, text: texts[chosen] ?? (kind === 'NULL' ? '' : text) });
        }}
      >
        {KINDS.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
