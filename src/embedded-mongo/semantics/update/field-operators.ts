import { describe } from '../describe';
import { badValue, typeMismatch, unsupported } from '../errors';
import { add, multiply } from '../numbers';
import type { Numeric } from '../numbers';
import { compareValues, valuesEqual } from '../order';
import { isDocument, isNumeric, requireSupported, typeName } from '../values';
import type { Doc } from '../values';

/** What an operator may look at besides the value it changes. */
export interface ChangeContext {
  readonly doc: Doc;
  readonly path: string;
  readonly now: Date;
}

/** The change of one field. */
export interface FieldChange {
  /** What happens where the path does not lead to a value: it is made, or nothing is done. */
  readonly whenMissing: 'create' | 'ignore';
  /** What happens where another value is in the way: error 28, or nothing is done. */
  readonly whenBlocked: 'fail' | 'ignore';
  /** Only carried out when an upsert inserts. */
  readonly onInsertOnly?: true;
  /** The new value for the current one (undefined: missing). The same value back is no change, undefined removes it. */
  readonly next: (current: unknown, context: ChangeContext) => unknown;
}

export type CompileOperator = (operand: unknown, path: string) => FieldChange;

const creating = (next: FieldChange['next']): FieldChange => ({ whenMissing: 'create', whenBlocked: 'fail', next });

function set(operand: unknown): FieldChange {
  requireSupported(operand);
  return creating((current) => (current !== undefined && isSame(current, operand) ? current : operand));
}

/** Equality that also sees the type of a number, since `$set` may change it. */
const isSame = (a: unknown, b: unknown): boolean => typeName(a) === typeName(b) && !isNested(a) && valuesEqual(a, b);

const isNested = (value: unknown): boolean => Array.isArray(value) || isDocument(value);

function increment(operand: unknown, path: string): FieldChange {
  if (!isNumeric(operand)) throw typeMismatch(`Cannot increment with non-numeric argument: {${path}: ${describe(operand)}}`);
  return creating((current, context) => (current === undefined ? operand : calculated('$inc', add, current, operand, context)));
}

function scale(operand: unknown, path: string): FieldChange {
  if (!isNumeric(operand)) throw typeMismatch(`Cannot multiply with non-numeric argument: {${path}: ${describe(operand)}}`);
  return creating((current, context) => calculated('$mul', multiply, current === undefined ? 0 : current, operand, context));
}

function calculated(
  name: string, operation: (a: Numeric, b: Numeric) => Numeric | undefined, current: unknown, operand: Numeric, { doc, path }: ChangeContext,
): Numeric {
  if (!isNumeric(current)) {
    throw typeMismatch(`Cannot apply ${name} to a value of non-numeric type. {_id: ${describe(doc._id)}} has the field '${path.split('.').at(-1)}' of non-numeric type ${typeName(current)}`);
  }
  const result = operation(current, operand);
  if (result === undefined) {
    throw badValue(`Failed to apply ${name} operations to current value (${describe(current)}) for document {_id: ${describe(doc._id)}}`);
  }
  return isSame(current, result) ? current : result;
}

const keepIf = (keep: (order: number) => boolean): CompileOperator => (operand) => {
  requireSupported(operand);
  return creating((current) => (current !== undefined && keep(compareValues(current, operand)) ? current : operand));
};

const unset: CompileOperator = () => ({ whenMissing: 'ignore', whenBlocked: 'ignore', next: () => undefined });

function currentDate(operand: unknown): FieldChange {
  if (typeof operand !== 'boolean') requireDateType(operand);
  return creating((_current, { now }) => new Date(now));
}

function requireDateType(operand: unknown): void {
  if (!isDocument(operand)) {
    throw badValue(`${typeName(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`);
  }
  const unknown = Object.keys(operand).find((key) => key !== '$type');
  if (unknown !== undefined) throw badValue(`Unrecognized $currentDate option: ${unknown}`);
  if (operand.$type === 'timestamp') throw unsupported("$currentDate with { $type: 'timestamp' } is");
  if (operand.$type !== 'date') throw badValue("The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}");
}

export const fieldOperators: Readonly<Record<string, CompileOperator>> = {
  $set: set,
  $setOnInsert: (operand) => ({ ...set(operand), onInsertOnly: true }),
  $unset: unset,
  $inc: increment,
  $mul: scale,
  $min: keepIf((order) => order <= 0),
  $max: keepIf((order) => order >= 0),
  $currentDate: currentDate,
};
