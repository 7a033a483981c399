import type { Steps, Turn } from '../../../platform/json/turns';
import { isJsonObject } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';

/** A loop of a document from before 1.3, with the letter it gets. */
interface Loop {
  readonly index: string;
  readonly iterator: string;
  /** The list it goes over: the colour of its method, and the path without brackets at the end. */
  readonly color: string;
  readonly type: string;
  readonly field: string;
}

const FIRST = 'i'.charCodeAt(0);
const LETTERS = 'z'.charCodeAt(0) - FIRST + 1;
/** `i` to `z`, then `ii`, `ij`, … */
const letterAt = (depth: number): string =>
  depth < LETTERS ? String.fromCharCode(FIRST + depth) : `i${letterAt(depth - LETTERS)}`;
/** What nests deeper than this gets no letters. */
const LONGEST_INDEX = 300;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
const inOrder = (left: JsonObject, right: JsonObject): number =>
  textOf(left.index).localeCompare(textOf(right.index), 'en', { numeric: true });

/** The loops of a container by index, and for each place that was asked for those around it. */
class Loops {
  private readonly byIndex = new Map<string, Loop>();
  private readonly inside = new Map<string, readonly Loop[]>();

  /** To be added from the outermost inwards. */
  add(loop: Loop): void {
    this.byIndex.set(loop.index, loop);
  }

  at(index: unknown): Loop | undefined {
    return this.byIndex.get(textOf(index));
  }

  /** Those around an index, the outermost first. Steps side by side have the same. */
  around(index: unknown): readonly Loop[] {
    const text = textOf(index);
    const parent =
      text.length > LONGEST_INDEX ? '' : text.slice(0, Math.max(0, text.lastIndexOf('_')));
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
 * Since 1.3 loops have letters, and references say by them which element is meant: `tickets[]` of a list that is looped over becomes
 * `tickets[i]` in the loop. Bindings belong to the method they write to.
 */
export function* withIterators(document: JsonObject, turn: Turn): Steps<JsonObject> {
  const ofMethods = new Map<string, readonly Loop[]>();
  const converted: Record<string, unknown> = {};
  for (const name of ['fromConnector', 'toConnector']) {
    const container = document[name];
    if (!isJsonObject(container)) continue;
    const loops = yield* loopsOf(objectsIn(container.operators), turn);
    for (const { color, index } of objectsIn(container.methods)) {
      if (turn.over) yield;
      ofMethods.set(textOf(color), loops.around(index));
    }
    converted[name] = {
      ...container,
      methods: yield* each(container.methods, (method) => loops.around(method.index), turn),
      operators: yield* each(
        container.operators,
        (operator) => loops.around(operator.index),
        turn,
        ({ type, index }) => (type === 'loop' ? { iterator: loops.at(index)?.iterator } : {}),
      ),
    };
  }
  const fieldBinding = yield* each(
    document.fieldBinding,
    (binding) => ofMethods.get(textOf(objectsIn(binding.to)[0]?.color)) ?? [],
    turn,
  );
  return { ...document, ...converted, ...('fieldBinding' in document ? { fieldBinding } : {}) };
}

/** A list with letters in each object of it; what else is in it, or is no list, is refused with its own words later. */
function* each(
  list: unknown,
  loopsAround: (object: JsonObject) => readonly Loop[],
  turn: Turn,
  more: (object: JsonObject) => object = () => ({}),
): Steps<unknown> {
  if (!Array.isArray(list)) return list;
  const converted: unknown[] = [];
  for (const entry of list as unknown[]) {
    if (turn.over) yield;
    converted.push(
      isJsonObject(entry)
        ? { ...((yield* lettered(entry, loopsAround(entry), turn)) as JsonObject), ...more(entry) }
        : entry,
    );
  }
  return converted;
}

/** From the outermost inwards: the path of an inner loop has the letters of those around it already. */
function* loopsOf(operators: readonly JsonObject[], turn: Turn): Steps<Loops> {
  const loops = new Loops();
  for (const { index, condition, iterator } of operators
    .filter((one) => one.type === 'loop')
    .sort(inOrder)) {
    if (turn.over) yield;
    const outer = loops.around(index);
    const left =
      isJsonObject(condition) && isJsonObject(condition.leftStatement)
        ? ((yield* lettered(condition.leftStatement, outer, turn)) as JsonObject)
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

/** Letters in all texts of a step: in references that name the method, and in the fields of statements and bindings, which name it beside. */
function* lettered(value: unknown, loops: readonly Loop[], turn: Turn): Steps<unknown> {
  if (loops.length === 0) return value;
  if (turn.over) yield;
  if (typeof value === 'string') return yield* letteredText(value, loops, turn);
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const entry of value as unknown[]) list.push(yield* lettered(entry, loops, turn));
    return list;
  }
  if (!isJsonObject(value)) return value;
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value))
    fields.push([name, yield* lettered(field, loops, turn)]);
  const object: JsonObject = Object.fromEntries(fields);
  const { color, field } = object;
  if (typeof color !== 'string' || typeof field !== 'string') return object;
  const own = loops.filter((loop) => loop.color === color && loop.field !== '');
  return {
    ...object,
    field: own.reduce(
      (text, loop) =>
        text.startsWith(`${loop.field}[]`)
          ? `${loop.field}[${loop.iterator}]${text.slice(loop.field.length + 2)}`
          : text,
      field,
    ),
  };
}

function* letteredText(text: string, loops: readonly Loop[], turn: Turn): Steps<string> {
  if (!text.includes('[]')) return text;
  let result = text;
  for (const { color, type, field, iterator } of loops) {
    if (turn.over) yield;
    if (field !== '')
      result = result.replaceAll(
        `${color}.(${type}).${field}[]`,
        `${color}.(${type}).${field}[${iterator}]`,
      );
  }
  return result;
}
