import { describe } from '../describe';
import { failedToParse, immutableField, unsupported } from '../errors';
import { valuesEqual } from '../order';
import { isDocument, requireValidId, typeName } from '../values';
import type { Doc } from '../values';
import { cannotCreate, lookUp, removeAt, setAt } from './edit';
import { fieldOperators } from './field-operators';
import type { FieldChange } from './field-operators';
import { comparePaths, parseUpdatePath, requireDisjoint } from './path';

export interface ApplyOptions {
  readonly inserting: boolean;
}

interface Change extends FieldChange {
  readonly path: readonly string[];
}

/**
 * Compiles update operators.
 * @throws StoreError 9 unknown operator or malformed operand, 40 conflicting paths, 115 unsupported
 */
export function compileOperators(update: Doc): (doc: Doc, options: ApplyOptions) => Doc {
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
    throw failedToParse(
      `Modifiers operate on fields but we found type ${typeName(operands)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${describe(operands)}}`,
    );
  }
  return Object.entries(operands).map(([path, operand]) => ({
    path: parseUpdatePath(path),
    ...fieldOperators[name](operand, path),
  }));
}

/** MongoDB operators that are not supported. */
const refused = new Set([
  '$rename',
  '$mul',
  '$currentDate',
  '$push',
  '$addToSet',
  '$pull',
  '$pullAll',
  '$pop',
  '$bit',
]);

function unknownOperator(name: string): Error {
  if (refused.has(name)) return unsupported(`the update operator ${name} is`);
  return failedToParse(
    `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
  );
}

function applyChange(doc: Doc, { path, next, creates }: Change): Doc {
  const found = lookUp(doc, path);
  if (found.state === 'blocked') {
    if (!creates) return doc;
    throw cannotCreate(path, found.at, found.by);
  }
  if (found.state === 'missing' && !creates) return doc;
  const current = found.state === 'found' ? found.value : undefined;
  const value = next(current, { doc, path: path.join('.') });
  if (value === undefined) return removeAt(doc, path);
  return value === current ? doc : setAt(doc, path, value);
}

/** The update may set `_id` only when it inserts a document without one. */
function requireSameId(before: Doc, after: Doc, inserting: boolean): Doc {
  const had = Object.hasOwn(before, '_id');
  const has = Object.hasOwn(after, '_id');
  if (had && !(has && valuesEqual(before._id, after._id))) {
    throw immutableField(
      `Performing an update on the path '_id' would modify the immutable field '_id'`,
    );
  }
  if (!had && has) {
    if (!inserting)
      throw immutableField(
        `Performing an update on the path '_id' would modify the immutable field '_id'`,
      );
    requireValidId(after._id);
  }
  return after;
}
