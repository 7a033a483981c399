import { mapJson } from '../../../platform/json/map-json';
import { isJsonObject } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';

/** A loop of a document before version 1.3, with the loop variable that it gets. */
interface Loop {
  readonly index: string;
  readonly iterator: string;
  /**
   * The list it iterates over: the colour of its method, and the path without trailing brackets.
   */
  readonly color: string;
  readonly type: string;
  readonly field: string;
}

const FIRST = 'i'.charCodeAt(0);
const LETTERS = 'z'.charCodeAt(0) - FIRST + 1;
/** `i` to `z`, then `ii`, `ij`, … */
const letterAt = (depth: number): string =>
  depth < LETTERS ? String.fromCharCode(FIRST + depth) : `i${letterAt(depth - LETTERS)}`;
/** Maximum characters of an index; steps that are nested deeper get no loop variables. */
const MAX_INDEX_LENGTH = 300;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
const inOrder = (left: JsonObject, right: JsonObject): number =>
  textOf(left.index).localeCompare(textOf(right.index), 'en', { numeric: true });

/** The loops of a container by index. Caches the enclosing loops of each index. */
class Loops {
  private readonly byIndex = new Map<string, Loop>();
  private readonly inside = new Map<string, readonly Loop[]>();

  /** Add outer loops before inner ones. */
  add(loop: Loop): void {
    this.byIndex.set(loop.index, loop);
  }

  at(index: unknown): Loop | undefined {
    return this.byIndex.get(textOf(index));
  }

  /** The enclosing loops of an index, the outermost first. Sibling steps share the same list. */
  around(index: unknown): readonly Loop[] {
    const text = textOf(index);
    const parent =
      text.length > MAX_INDEX_LENGTH ? '' : text.slice(0, Math.max(0, text.lastIndexOf('_')));
    if (parent === '') return [];
    let loops = this.inside.get(parent);
    if (loops === undefined) {
      loops = [...this.around(parent), ...(this.at(parent) ? [this.at(parent) as Loop] : [])];
      this.inside.set(parent, loops);
    }
    return loops;
  }
}

/**
 * Adds the loop variables of version 1.3: in a loop over `tickets`, the reference `tickets[]`
 * becomes `tickets[i]`. Bindings use the loops around the method that they write to.
 */
export function withIterators(document: JsonObject): JsonObject {
  const ofMethods = new Map<string, readonly Loop[]>();
  const converted: Record<string, unknown> = {};
  for (const name of ['fromConnector', 'toConnector']) {
    const container = document[name];
    if (!isJsonObject(container)) continue;
    const loops = loopsOf(objectsIn(container.operators));
    for (const { color, index } of objectsIn(container.methods)) {
      ofMethods.set(textOf(color), loops.around(index));
    }
    converted[name] = {
      ...container,
      methods: each(container.methods, (method) => loops.around(method.index)),
      operators: each(
        container.operators,
        (operator) => loops.around(operator.index),
        ({ type, index }) => (type === 'loop' ? { iterator: loops.at(index)?.iterator } : {}),
      ),
    };
  }
  const fieldBinding = each(
    document.fieldBinding,
    (binding) => ofMethods.get(textOf(objectsIn(binding.to)[0]?.color)) ?? [],
  );
  return { ...document, ...converted, ...('fieldBinding' in document ? { fieldBinding } : {}) };
}

/**
 * Adds loop variables to each object of a list. Invalid input is kept; a later check reports it.
 */
function each(
  list: unknown,
  loopsAround: (object: JsonObject) => readonly Loop[],
  more: (object: JsonObject) => object = () => ({}),
): unknown {
  if (!Array.isArray(list)) return list;
  return (list as unknown[]).map((entry) =>
    isJsonObject(entry) ? { ...withLetters(entry, loopsAround(entry)), ...more(entry) } : entry,
  );
}

/** Processes outer loops first: the path of an inner loop already contains their variables. */
function loopsOf(operators: readonly JsonObject[]): Loops {
  const loops = new Loops();
  for (const { index, condition, iterator } of operators
    .filter((one) => one.type === 'loop')
    .sort(inOrder)) {
    const outer = loops.around(index);
    const left =
      isJsonObject(condition) && isJsonObject(condition.leftStatement)
        ? withLetters(condition.leftStatement, outer)
        : {};
    const field = textOf(left.field).replace(/\[\*?\]$/, '');
    loops.add({
      index: textOf(index),
      iterator: textOf(iterator) || letterAt(outer.length),
      color: textOf(left.color),
      type: textOf(left.type) || 'response',
      field,
    });
  }
  return loops;
}

/**
 * Adds loop variables to the texts of a step: in references, and in `field` values next to the
 * colour of a method.
 */
function withLetters(value: JsonObject, loops: readonly Loop[]): JsonObject {
  if (loops.length === 0) return value;
  const text = (one: string): string => (one.includes('[]') ? inReferences(one, loops) : one);
  const object = (fields: JsonObject): JsonObject => {
    const { color, field } = fields;
    if (typeof color !== 'string' || typeof field !== 'string') return fields;
    const own = loops.filter((loop) => loop.color === color && loop.field !== '');
    const addLetter = (path: string, loop: Loop): string =>
      path.startsWith(`${loop.field}[]`)
        ? `${loop.field}[${loop.iterator}]${path.slice(loop.field.length + 2)}`
        : path;
    return { ...fields, field: own.reduce(addLetter, field) };
  };
  return mapJson(value, { text, object }) as JsonObject;
}

function inReferences(text: string, loops: readonly Loop[]): string {
  let result = text;
  for (const { color, type, field, iterator } of loops) {
    if (field !== '')
      result = result.replaceAll(
        `${color}.(${type}).${field}[]`,
        `${color}.(${type}).${field}[${iterator}]`,
      );
  }
  return result;
}
