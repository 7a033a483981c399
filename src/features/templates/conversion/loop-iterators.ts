import { isJsonObject } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import { inList, ofContainers } from './containers';

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
const letterAt = (depth: number): string => (depth < LETTERS ? String.fromCharCode(FIRST + depth) : `i${letterAt(depth - LETTERS)}`);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const stepsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);
const isInside = (index: string, { index: around }: Loop): boolean => index.startsWith(`${around}_`);
const inOrder = (left: JsonObject, right: JsonObject): number => textOf(left.index).localeCompare(textOf(right.index), 'en', { numeric: true });

/**
 * Since 1.3 loops have letters, and references say by them which element is meant: `tickets[]` of a list that is looped over becomes
 * `tickets[i]` in the loop. Bindings belong to the method they write to.
 */
export function withIterators(document: JsonObject): JsonObject {
  const around = new Map<string, readonly Loop[]>();
  const converted = ofContainers(document, (container) => {
    const loops = loopsOf(stepsIn(container.operators));
    const of = (index: unknown): Loop[] => loops.filter((loop) => isInside(textOf(index), loop));
    for (const { color, index } of stepsIn(container.methods)) around.set(textOf(color), of(index));
    const operator = inList((one) => {
      const own = loops.find(({ index }) => index === one.index);
      return { ...(lettered(one, of(one.index)) as JsonObject), ...(own ? { iterator: own.iterator } : {}) };
    });
    const method = inList((one) => lettered(one, of(one.index)));
    return { ...container, methods: method(container.methods), operators: operator(container.operators) };
  });
  const binding = inList((one) => lettered(one, around.get(textOf(stepsIn(one.to)[0]?.color)) ?? []));
  return { ...converted, fieldBinding: binding(document.fieldBinding) };
}

/** From the outermost inwards: the path of an inner loop has the letters of those around it already. */
function loopsOf(operators: readonly JsonObject[]): Loop[] {
  const loops: Loop[] = [];
  for (const { index, condition, iterator } of operators.filter((one) => one.type === 'loop').sort(inOrder)) {
    const outer = loops.filter((loop) => isInside(textOf(index), loop));
    const left = isJsonObject(condition) && isJsonObject(condition.leftStatement) ? lettered(condition.leftStatement, outer) as JsonObject : {};
    const field = textOf(left.field).replace(/\[\*?\]$/, '');
    loops.push({ index: textOf(index), iterator: textOf(iterator) || letterAt(outer.length), color: textOf(left.color), type: textOf(left.type) || 'response', field });
  }
  return loops;
}

/** Letters in all texts of a step: in references that name the method, and in the fields of statements and bindings, which name it beside. */
function lettered(value: unknown, loops: readonly Loop[]): unknown {
  if (typeof value === 'string') {
    return loops.reduce((text, { color, type, field, iterator }) => (field === '' ? text
      : text.replaceAll(`${color}.(${type}).${field}[]`, `${color}.(${type}).${field}[${iterator}]`)), value);
  }
  if (Array.isArray(value)) return value.map((entry) => lettered(entry, loops));
  if (!isJsonObject(value)) return value;
  const object = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, lettered(field, loops)]));
  const { color, field } = object;
  if (typeof color !== 'string' || typeof field !== 'string') return object;
  const own = loops.filter((loop) => loop.color === color && loop.field !== '');
  return { ...object, field: own.reduce((text, loop) => (text.startsWith(`${loop.field}[]`) ? `${loop.field}[${loop.iterator}]${text.slice(loop.field.length + 2)}` : text), field) };
}
