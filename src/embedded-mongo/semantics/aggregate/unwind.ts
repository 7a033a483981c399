import { Long } from 'bson';
import { located } from '../errors';
import { fieldNames } from '../rule-tree';
import { field, isDocument, withField, withoutField } from '../values';
import type { Doc } from '../values';
import type { StageCompiler } from './stage';

interface Options {
  readonly path: readonly string[];
  readonly indexField: string | undefined;
  readonly keepsEmpty: boolean;
}

/** `$unwind`: one document per element; a value that is not an array counts as one element. */
export const unwind: StageCompiler = (specification) => {
  const options = parse(specification);
  return {
    reads: new Set([options.path[0]]),
    *run(documents) {
      for (const doc of documents) {
        if (doc === undefined) yield undefined;
        else yield* unwound(doc, options);
      }
    },
  };
};

function* unwound(doc: Doc, { path, indexField, keepsEmpty }: Options): Generator<Doc> {
  const indexed = (one: Doc, index: Long | null): Doc =>
    indexField === undefined ? one : withField(one, indexField, index);
  const value = nested(doc, path, 0);
  if (!Array.isArray(value)) {
    if (keepsEmpty || (value !== undefined && value !== null)) yield indexed(doc, null);
    return;
  }
  if (value.length === 0 && keepsEmpty) yield indexed(replaced(doc, path, 0, undefined), null);
  for (const [index, element] of (value as unknown[]).entries())
    yield indexed(replaced(doc, path, 0, element), Long.fromNumber(index));
}

function parse(specification: unknown): Options {
  if (typeof specification === 'string')
    return { path: pathOf(specification), indexField: undefined, keepsEmpty: false };
  if (!isDocument(specification))
    throw located(
      15981,
      'expected either a string or an object as specification for $unwind stage',
    );
  const unknown = Object.keys(specification).find(
    (key) => !['path', 'preserveNullAndEmptyArrays', 'includeArrayIndex'].includes(key),
  );
  if (unknown !== undefined)
    throw located(28811, `unrecognized option to $unwind stage: ${unknown}`);
  const { path, preserveNullAndEmptyArrays = false, includeArrayIndex } = specification;
  if (path === undefined) throw located(28812, 'no path specified to $unwind stage');
  if (typeof preserveNullAndEmptyArrays !== 'boolean')
    throw located(
      28809,
      'expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage',
    );
  return {
    path: pathOf(path),
    indexField: indexName(includeArrayIndex),
    keepsEmpty: preserveNullAndEmptyArrays,
  };
}

function pathOf(path: unknown): string[] {
  if (typeof path !== 'string')
    throw located(28808, 'expected a string as the path for $unwind stage');
  if (!path.startsWith('$'))
    throw located(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  return fieldNames(path.slice(1));
}

function indexName(name: unknown): string | undefined {
  if (name === undefined) return undefined;
  if (typeof name !== 'string' || name === '')
    throw located(
      28810,
      'expected a non-empty string for the includeArrayIndex option to $unwind stage',
    );
  if (name.startsWith('$'))
    throw located(
      28822,
      `includeArrayIndex option to $unwind stage should not be prefixed with a '$': ${name}`,
    );
  if (name.includes('.'))
    throw located(
      28810,
      `includeArrayIndex below another field (${name}) is not supported by the embedded store; set MONGODB_URI to a MongoDB replica set`,
    );
  return name;
}

function nested(doc: Doc, path: readonly string[], at: number): unknown {
  const value = field(doc, path[at]);
  if (at === path.length - 1) return value;
  return isDocument(value) ? nested(value, path, at + 1) : undefined;
}

function replaced(doc: Doc, path: readonly string[], at: number, value: unknown): Doc {
  const name = path[at];
  if (at < path.length - 1)
    return withField(doc, name, replaced(doc[name] as Doc, path, at + 1, value));
  return value === undefined ? withoutField(doc, name) : withField(doc, name, value);
}
