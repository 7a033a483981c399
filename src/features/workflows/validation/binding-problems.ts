import { bindingPlaces } from '../../../engine';
import type { BindingPlace } from '../../../engine';
import { isJsonObject } from '../document/json';
import type { JsonObject } from '../document/json';
import { nameOfStep, NO_STEP, objectsIn, problemAt } from './problem';
import type { StepName, UnplacedProblem } from './problem';

/** A name followed by brackets: `items[0]`, `rows[*]`, `[i]`. */
const PART = /^([^[\]]*)((?:\[[^\]]*\])*)~?$/;
/** Maximum characters of a path that is checked; longer ones are assumed to exist. */
const LONGEST = 1_000;
/** Maximum number of list elements that are checked. */
const MOST_ELEMENTS = 100;

/**
 * Returns false only if the field is certainly missing. Values below texts and references are known
 * only at run time; XML attributes and paths that cannot be parsed are assumed to exist.
 */
function hasField(fields: unknown, path: string): boolean {
  if (path.length > LONGEST) return true;
  if (fields === undefined || fields === null) return path === '';
  let values: unknown[] = [fields];
  for (const part of path.replace(/^\$(?:\.|$)/, '').split('.')) {
    const match = PART.exec(part);
    if (!match || part.startsWith('@') || part.startsWith('__oc__') || part === '$') return true;
    if (values.some((value) => !isJsonObject(value) && !Array.isArray(value))) return true;
    const [, name = '', brackets = ''] = match;
    if (name !== '') values = values.flatMap((value) => fieldsNamed(value, name));
    for (const inside of brackets === '' ? [] : brackets.slice(1, -1).split(']['))
      values = values.flatMap((value) => elementsOf(value, inside));
    if (values.length === 0) return false;
  }
  return true;
}

function fieldsNamed(value: unknown, name: string): unknown[] {
  if (Array.isArray(value))
    return value.slice(0, MOST_ELEMENTS).flatMap((item) => fieldsNamed(item, name));
  if (!isJsonObject(value)) return [value];
  return Object.hasOwn(value, name) ? [value[name]] : [];
}

/** In the editor, a body shows one element of each list, whatever index the path has. */
function elementsOf(value: unknown, inside: string): unknown[] {
  if (Array.isArray(value)) return value.slice(0, MOST_ELEMENTS);
  const key = /^'(.*)'$/.exec(inside)?.[1];
  if (key !== undefined && isJsonObject(value)) return fieldsNamed(value, key);
  return [value];
}

/**
 * The parts that a binding may read and write. It cannot write a response, which has already been
 * received.
 */
const PARTS = {
  from: new Set(['response', 'request']),
  to: new Set(['request', 'path', 'header']),
} as const;

/** Finds field bindings that name no method, or a part or field that does not exist. */
export function bindingProblems(
  document: JsonObject,
  methods: readonly JsonObject[],
): UnplacedProblem[] {
  const byColor = new Map(
    methods.flatMap((method) =>
      typeof method.color === 'string' ? [[method.color.toUpperCase(), method] as const] : [],
    ),
  );
  const problems: UnplacedProblem[] = [];
  for (const [position, binding] of (Array.isArray(document.fieldBinding)
    ? (document.fieldBinding as unknown[])
    : []
  ).entries()) {
    if (isJsonObject(binding))
      problems.push(...problemsOf(binding, `fieldBinding.${position}`, byColor));
  }
  return problems;
}

function problemsOf(
  binding: JsonObject,
  place: string,
  byColor: ReadonlyMap<string, JsonObject>,
): UnplacedProblem[] {
  const owner = [...objectsIn(binding.to), ...objectsIn(binding.from)]
    .map((end) => methodOf(end, byColor))
    .find((method) => method !== undefined);
  const step = owner === undefined ? NO_STEP : nameOfStep(owner);
  const ends = (['from', 'to'] as const).flatMap((side) =>
    objectsIn(binding[side]).flatMap((end, position) =>
      endProblems(end, side, `${place}.${side}.${position}`, step, byColor),
    ),
  );
  if (objectsIn(binding.to).length > 0) return ends;
  return [
    ...ends,
    problemAt(
      step,
      `${place}.to`,
      'BINDING_INCOMPLETE',
      'The field binding does not say what it writes to.',
    ),
  ];
}

function endProblems(
  end: JsonObject,
  side: 'from' | 'to',
  place: string,
  step: StepName,
  byColor: ReadonlyMap<string, JsonObject>,
): UnplacedProblem[] {
  const problems: UnplacedProblem[] = [];
  const method = methodOf(end, byColor);
  if (method === undefined)
    problems.push(
      problemAt(
        step,
        `${place}.color`,
        'REFERENCE_COLOR_UNKNOWN',
        `No method has the colour ${shown(end.color)}.`,
      ),
    );
  if (typeof end.type !== 'string' || !PARTS[side].has(end.type)) {
    problems.push(
      problemAt(
        step,
        `${place}.type`,
        'BINDING_TYPE_UNKNOWN',
        `A field binding goes ${side} ${[...PARTS[side]].join(', ')}, not ${shown(end.type)}.`,
      ),
    );
  } else if (
    method !== undefined &&
    side === 'to' &&
    end.type === 'request' &&
    typeof end.field === 'string' &&
    !bindingPlaces({ type: end.type, field: end.field }).some((one) => hasPlace(method, one))
  ) {
    problems.push(
      problemAt(
        step,
        `${place}.field`,
        'BINDING_FIELD_UNKNOWN',
        `The request of the method has no field ${shown(end.field)}.`,
      ),
    );
  }
  return problems;
}

function hasPlace(method: JsonObject, { type, field }: BindingPlace): boolean {
  if (type !== 'header') return hasField(bodyOf(method), field);
  const header =
    isJsonObject(method.request) && isJsonObject(method.request.header)
      ? method.request.header
      : {};
  return Object.keys(header).some((name) => name.toLowerCase() === field.toLowerCase());
}

const methodOf = (
  { color }: JsonObject,
  byColor: ReadonlyMap<string, JsonObject>,
): JsonObject | undefined =>
  typeof color === 'string' ? byColor.get(color.toUpperCase()) : undefined;

function bodyOf({ request }: JsonObject): unknown {
  const body = isJsonObject(request) ? request.body : undefined;
  return isJsonObject(body) ? body.fields : undefined;
}

/** Maximum characters of a value in a message. */
const MOST_SHOWN = 100;

const shown = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, MOST_SHOWN)) : 'nothing';
