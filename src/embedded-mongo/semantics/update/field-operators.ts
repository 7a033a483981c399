import { describe } from '../describe';
import { badValue, typeMismatch } from '../errors';
import { add } from '../numbers';
import { compareValues, valuesEqual } from '../order';
import { isDocument, isNumeric, requireSupported, typeName } from '../values';
import type { Doc } from '../values';

/** Input of an operator in addition to the current value. */
export interface ChangeContext {
  readonly doc: Doc;
  readonly path: string;
}

/** Change of one field. */
export interface FieldChange {
  /** Create a missing field (error 28 if a value blocks the path); otherwise skip it. */
  readonly creates: boolean;
  /** Applies only when an upsert inserts. */
  readonly onInsertOnly?: true;
  /** Returns the new value (undefined: remove); the same value means no change. */
  readonly next: (current: unknown, context: ChangeContext) => unknown;
}

export type CompileOperator = (operand: unknown, path: string) => FieldChange;

const creating = (next: FieldChange['next']): FieldChange => ({ creates: true, next });

function set(operand: unknown): FieldChange {
  requireSupported(operand);
  return creating((current) =>
    current !== undefined && isSame(current, operand) ? current : operand,
  );
}

/** Equality that includes the type of a number, since `$set` may change it. */
const isSame = (a: unknown, b: unknown): boolean =>
  typeName(a) === typeName(b) && !isNested(a) && valuesEqual(a, b);

const isNested = (value: unknown): boolean => Array.isArray(value) || isDocument(value);

function increment(operand: unknown, path: string): FieldChange {
  if (!isNumeric(operand))
    throw typeMismatch(
      `Cannot increment with non-numeric argument: {${path}: ${describe(operand)}}`,
    );
  return creating((current, { doc, path: at }) => {
    if (current === undefined) return operand;
    if (!isNumeric(current)) {
      throw typeMismatch(
        `Cannot apply $inc to a value of non-numeric type. {_id: ${describe(doc._id)}} has the field '${at.split('.').at(-1)}' of non-numeric type ${typeName(current)}`,
      );
    }
    const result = add(current, operand);
    if (result === undefined) {
      throw badValue(
        `Failed to apply $inc operations to current value (${describe(current)}) for document {_id: ${describe(doc._id)}}`,
      );
    }
    return isSame(current, result) ? current : result;
  });
}

const keepIf =
  (keep: (order: number) => boolean): CompileOperator =>
  (operand) => {
    requireSupported(operand);
    return creating((current) =>
      current !== undefined && keep(compareValues(current, operand)) ? current : operand,
    );
  };

const unset: CompileOperator = () => ({ creates: false, next: () => undefined });

export const fieldOperators: Readonly<Record<string, CompileOperator>> = {
  $set: set,
  $setOnInsert: (operand) => ({ ...set(operand), onInsertOnly: true }),
  $unset: unset,
  $inc: increment,
  $min: keepIf((order) => order <= 0),
  $max: keepIf((order) => order >= 0),
};
