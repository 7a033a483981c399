import type { RuleFragment } from '../../generated/operations';
import { Button } from '../../parts/button';
import { Select } from '../../parts/fields';
import { Icon } from '../../parts/icon';
import type { ExpressionForm, OperatorChoice } from './expression-form';
import { OperandField } from './operand-field';

type Condition = NonNullable<ExpressionForm['condition']>;
type Item = Condition['items'][number];
type Join = Condition['joinedBy'];

export const EMPTY_RULE: RuleFragment = {
  left: { kind: 'TEXT', text: '' },
  operator: '=',
  right: { kind: 'TEXT', text: '' },
};

function JoinSelect({ value, onChange }: { value: Join; onChange: (join: Join) => void }) {
  return (
    <Select
      label="True if"
      value={value}
      options={[
        { value: 'AND', text: 'all of these are true' },
        { value: 'OR', text: 'any of these is true' },
      ]}
      onChange={(join) => onChange(join as Join)}
    />
  );
}

function RuleFields({
  rule,
  number,
  operators,
  onChange,
  onRemove,
}: {
  rule: RuleFragment;
  number: string;
  operators: readonly OperatorChoice[];
  onChange: (rule: RuleFragment) => void;
  onRemove: (() => void) | null;
}) {
  const { left, operator, right } = rule;
  const names = operators.map(({ name }) => name);
  return (
    <div class="rule" role="group" aria-label={`Rule ${number}`}>
      <OperandField
        label="Value"
        operand={left}
        placeholder="Choose data, or enter a text"
        onChange={(changed) => onChange({ ...rule, left: changed })}
      />
      <label class="field">
        Comparison
        <select
          value={operator}
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            const isUnary = operators.find(({ name }) => name === value)?.form === 'UNARY';
            onChange({
              left,
              operator: value,
              right: isUnary ? null : (right ?? EMPTY_RULE.right),
            });
          }}
        >
          {names.includes(operator) ? null : <option value={operator}>{operator}</option>}
          {operators.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {right === null ? null : (
        <OperandField
          label="Compared with"
          operand={right}
          onChange={(changed) => onChange({ ...rule, right: changed })}
        />
      )}
      {onRemove === null ? null : (
        <button type="button" class="bare" aria-label={`Remove rule ${number}`} onClick={onRemove}>
          <Icon name="cross" size={12} />
        </button>
      )}
    </div>
  );
}

/** The rules of a condition and its groups of rules. */
export function ConditionFields({
  condition: { joinedBy, items },
  operators,
  onChange,
}: {
  condition: Condition;
  operators: readonly OperatorChoice[];
  onChange: (condition: Condition) => void;
}) {
  const put = (at: number, item: Item | null): void =>
    onChange({ joinedBy, items: item === null ? items.toSpliced(at, 1) : items.with(at, item) });
  const add = (item: Item): void => onChange({ joinedBy, items: [...items, item] });
  return (
    <div class="condition">
      {items.length > 1 ? (
        <JoinSelect value={joinedBy} onChange={(join) => onChange({ joinedBy: join, items })} />
      ) : null}
      {items.map(({ rule, group }, at) => {
        const number = String(at + 1);
        const remove = items.length === 1 ? null : (): void => put(at, null);
        if (group !== null)
          return (
            <fieldset key={at} class="rule-group">
              <legend>Group {number}</legend>
              <JoinSelect
                value={group.joinedBy}
                onChange={(join) => put(at, { rule: null, group: { ...group, joinedBy: join } })}
              />
              {group.rules.map((each, position) => (
                <RuleFields
                  key={position}
                  rule={each}
                  number={`${number}.${position + 1}`}
                  operators={operators}
                  onChange={(changed) =>
                    put(at, {
                      rule: null,
                      group: { ...group, rules: group.rules.with(position, changed) },
                    })
                  }
                  onRemove={() =>
                    put(
                      at,
                      group.rules.length === 1
                        ? null
                        : {
                            rule: null,
                            group: { ...group, rules: group.rules.toSpliced(position, 1) },
                          },
                    )
                  }
                />
              ))}
              <Button
                class="button quiet-button"
                onClick={() =>
                  put(at, { rule: null, group: { ...group, rules: [...group.rules, EMPTY_RULE] } })
                }
              >
                Add rule to group
              </Button>
            </fieldset>
          );
        return rule === null ? null : (
          <RuleFields
            key={at}
            rule={rule}
            number={number}
            operators={operators}
            onChange={(changed) => put(at, { rule: changed, group: null })}
            onRemove={remove}
          />
        );
      })}
      <div class="picker-actions">
        <Button class="button quiet-button" onClick={() => add({ rule: EMPTY_RULE, group: null })}>
          <Icon name="plus" size={12} />
          <span>Add rule</span>
        </Button>
        <Button
          class="button quiet-button"
          onClick={() => add({ rule: null, group: { joinedBy: 'OR', rules: [EMPTY_RULE] } })}
        >
          <Icon name="plus" size={12} />
          <span>Add group</span>
        </Button>
      </div>
    </div>
  );
}
