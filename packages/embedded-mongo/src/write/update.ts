import { StoreError, unsupported } from '../errors';
import { add, compareValues, valuesEqual } from '../values/compare';
import { fromOrderedEntries, orderedEntries } from '../values/field-order';
import {
  describe,
  isDocument,
  isNumeric,
  requireSupported,
  requireSupportedTypes,
  requireValidId,
  typeName,
} from '../values/values';
import type { Doc } from '../values/values';
import {
  cannotCreate,
  comparePaths,
  lookUp,
  parseUpdatePath,
  removeAt,
  requireDisjoint,
  setAt,
} from './update-path';

/**
 * Compiles a replacement document; `_id` is kept and must not change.
 * @throws StoreError 52 top-level field starting with `$`; 66 when applied, if `_id` would change
 */
function compileReplacement(replacement: Doc): (doc: Doc) => Doc {
  const dollar = Object.keys(replacement).find((key) => key.startsWith('$'));
  if (dollar !== undefined) {
    throw new StoreError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${dollar}' in '${dollar}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  }
  requireSupportedTypes(replacement);
  const hasId = Object.hasOwn(replacement, '_id');
  if (hasId) requireValidId(replacement._id);
  return (doc) => {
    const hadId = Object.hasOwn(doc, '_id');
    if (hadId && hasId && !valuesEqual(doc._id, replacement._id)) {
      throw new StoreError(
        'ImmutableField',
        `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${describe(replacement._id)}`,
      );
    }
    const fields = orderedEntries(replacement).filter(([name]) => name !== '_id');
    return fromOrderedEntries(
      hadId || hasId ? [['_id', hadId ? doc._id : replacement._id], ...fields] : fields,
    );
  };
}

/** A compiled update. */
interface Update {
  /**
   * Returns the updated document, a new object that may share parts with the original.
   * @throws StoreError 66 `_id` would change, 14 / 2 / 28 a field cannot be changed
   */
  readonly apply: (doc: Doc, options: ApplyOptions) => Doc;
}

/**
 * Compiles update operators or a replacement document, depending on the first key.
 * @throws StoreError 9 / 2 invalid, 115 pipelines and unsupported operators
 */
export function compileUpdate(update: Doc | Doc[]): Update {
  if (Array.isArray(update)) throw unsupported('updates with an aggregation pipeline are');
  const isReplacement = !(Object.keys(update)[0] ?? '').startsWith('$');
  return { apply: isReplacement ? compileReplacement(update) : compileOperators(update) };
}

interface ApplyOptions {
  readonly inserting: boolean;
}

interface Change extends FieldChange {
  readonly path: readonly string[];
}

/**
 * Compiles update operators.
 * @throws StoreError 9 unknown operator or malformed operand, 40 conflicting paths, 115 unsupported
 */
function compileOperators(update: Doc): (doc: Doc, options: ApplyOptions) => Doc {
  const changes = Object.entries(update).flatMap(([name, operands]) => changesOf(name, operands));
  requireDisjoint(changes.map(({ path }) => path));
  changes.sort((a, b) => comparePaths(a.path, b.path));
  return (doc, { inserting }) => {
    const after = changes
      .filter(({ onInsertOnly }) => inserting || onInsertOnly === undefined)
      .reduce(applyChange, { ...doc });
    return requireSameId(doc, after, inserting);
  };
}

function changesOf(name: string, operands: unknown): Change[] {
  if (!Object.hasOwn(fieldOperators, name)) throw unknownOperator(name);
  if (!isDocument(operands)) {
    throw new StoreError(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeName(operands)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${describe(operands)}}`,
    );
  }
  return Object.entries(operands).map(([path, operand]) => ({
    path: parseUpdatePath(path),
    ...fieldOperators[name](operand, path),
  }));
}

/** MongoDB operators that are not supported. */
const UNSUPPORTED_OPERATORS = new Set(
  '$rename $mul $min $currentDate $push $addToSet $pull $pullAll $pop $bit'.split(' '),
);

function unknownOperator(name: string): Error {
  if (UNSUPPORTED_OPERATORS.has(name)) return unsupported(`the update operator ${name} is`);
  return new StoreError(
    'FailedToParse',
    `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
  );
}

function applyChange(doc: Doc, { path, next, creates }: Change): Doc {
  const target = lookUp(doc, path);
  if (target.state === 'blocked') {
    if (!creates) return doc;
    throw cannotCreate(path, target.at, target.by);
  }
  if (target.state === 'missing' && !creates) return doc;
  const current = target.state === 'found' ? target.value : undefined;
  const value = next(current, { doc, path: path.join('.') });
  if (value === undefined) return removeAt(doc, path);
  return value === current ? doc : setAt(doc, path, value);
}

/** The update may set `_id` only when it inserts a document without one. */
function requireSameId(before: Doc, after: Doc, inserting: boolean): Doc {
  const hadId = Object.hasOwn(before, '_id');
  const hasIdAfter = Object.hasOwn(after, '_id');
  const isAllowed = hadId
    ? hasIdAfter && valuesEqual(before._id, after._id)
    : !hasIdAfter || inserting;
  if (!isAllowed)
    throw new StoreError(
      'ImmutableField',
      `Performing an update on the path '_id' would modify the immutable field '_id'`,
    );
  if (!hadId && hasIdAfter) requireValidId(after._id);
  return after;
}

/** Input of an operator in addition to the current value. */
interface ChangeContext {
  readonly doc: Doc;
  readonly path: string;
}

/** Change of one field. */
interface FieldChange {
  /** Create a missing field (error 28 if a value blocks the path); otherwise skip it. */
  readonly creates: boolean;
  /** Applies only when an upsert inserts. */
  readonly onInsertOnly?: true;
  /** Returns the new value (undefined: remove); the same value means no change. */
  readonly next: (current: unknown, context: ChangeContext) => unknown;
}

type CompileOperator = (operand: unknown, path: string) => FieldChange;

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
    throw new StoreError(
      'TypeMismatch',
      `Cannot increment with non-numeric argument: {${path}: ${describe(operand)}}`,
    );
  return creating((current, { doc, path: at }) => {
    if (current === undefined) return operand;
    if (!isNumeric(current)) {
      throw new StoreError(
        'TypeMismatch',
        `Cannot apply $inc to a value of non-numeric type. {_id: ${describe(doc._id)}} has the field '${at.split('.').at(-1)}' of non-numeric type ${typeName(current)}`,
      );
    }
    const result = add(current, operand);
    if (result === undefined) {
      throw new StoreError(
        'BadValue',
        `Failed to apply $inc operations to current value (${describe(current)}) for document {_id: ${describe(doc._id)}}`,
      );
    }
    return isSame(current, result) ? current : result;
  });
}

const max: CompileOperator = (operand) => {
  requireSupported(operand);
  return creating((current) =>
    current !== undefined && compareValues(current, operand) >= 0 ? current : operand,
  );
};

const unset: CompileOperator = () => ({ creates: false, next: () => undefined });

const fieldOperators: Readonly<Record<string, CompileOperator>> = {
  $set: set,
  $setOnInsert: (operand) => ({ ...set(operand), onInsertOnly: true }),
  $unset: unset,
  $inc: increment,
  $max: max,
};
