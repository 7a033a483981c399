import type { Steps, Turn } from '../../../platform/event-loop';
import type { JsonObject } from '../json';
import { isJsonObject } from '../json';
import type { StepDocument } from '../workflow.document';
import type { TreeStep } from './step-tree';

/** Functions that rewrite the texts of a step or field binding. */
export interface Rewriting {
  /** Texts of requests. */
  readonly text: (text: string) => string;
  readonly expression: (text: string) => string;
  /** The colour and path of a method's field, in a condition or at an end of a binding. */
  readonly color: (color: string) => string;
  readonly path: (path: string) => string;
  /** The variables of a script. */
  readonly variables: (text: string) => string;
}

/** Rewrites the references of a step. Returns the same object if nothing changes. */
export function* rewrittenStep(
  { kind, step }: Pick<TreeStep, 'kind' | 'step'>,
  how: Rewriting,
  turn: Turn,
): Steps<StepDocument> {
  if (kind === 'method')
    return withField(
      step,
      'request',
      yield* mapTexts(step.request, how.text, turn),
    ) as StepDocument;
  const expression =
    typeof step.expression === 'string' ? how.expression(step.expression) : step.expression;
  return withField(
    withField(step, 'expression', expression),
    'condition',
    rewrittenCondition(step.condition, how),
  ) as StepDocument;
}

/** Rewrites the references of a field binding. Returns the same object if nothing changes. */
export function rewrittenBinding(binding: JsonObject, how: Rewriting): JsonObject {
  const ends = (list: unknown): unknown => {
    if (!Array.isArray(list)) return list;
    const changed = list.map((end) => rewrittenField(end, how));
    return changed.every((end, at) => end === list[at]) ? list : changed;
  };
  const { enhancement } = binding;
  const script =
    isJsonObject(enhancement) && typeof enhancement.expertVar === 'string'
      ? withField(enhancement, 'expertVar', how.variables(enhancement.expertVar))
      : enhancement;
  return withField(
    withField(withField(binding, 'from', ends(binding.from)), 'to', ends(binding.to)),
    'enhancement',
    script,
  );
}

function rewrittenCondition(condition: unknown, how: Rewriting): unknown {
  if (!isJsonObject(condition)) return condition;
  return ['leftStatement', 'rightStatement'].reduce(
    (changed, side) => withField(changed, side, rewrittenField(changed[side], how)),
    condition,
  );
}

/** A constant has no colour and is not rewritten. */
function rewrittenField(field: unknown, how: Rewriting): unknown {
  if (!isJsonObject(field) || typeof field.color !== 'string' || field.color === '') return field;
  return withField(
    withField(field, 'color', how.color(field.color)),
    'field',
    typeof field.field === 'string' ? how.path(field.field) : field.field,
  );
}

/** Returns the same object if the value is equal or the field is missing. */
function withField(object: JsonObject, name: string, value: unknown): JsonObject {
  return !Object.hasOwn(object, name) || object[name] === value
    ? object
    : { ...object, [name]: value };
}

/** Rewrites every text of a value. Parts in which nothing changes are returned as they are. */
function* mapTexts(value: unknown, write: (text: string) => string, turn: Turn): Steps<unknown> {
  if (turn.over) yield;
  if (typeof value === 'string') return write(value);
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const entry of value as unknown[]) list.push(yield* mapTexts(entry, write, turn));
    return list.every((entry, at) => entry === (value as unknown[])[at])
      ? (value as unknown[])
      : list;
  }
  if (!isJsonObject(value)) return value;
  const fields: [string, unknown][] = [];
  for (const [name, entry] of Object.entries(value))
    fields.push([name, yield* mapTexts(entry, write, turn)]);
  return fields.every(([name, entry]) => entry === value[name])
    ? value
    : Object.fromEntries(fields);
}
