import { EngineError } from '../errors';
import { parseExactJson } from '../exact-json';
import { isList, isMap, kindOf, ownField, toText } from '../value';
import type { Value, ValueMap } from '../value';
import { followPath } from './path';
import type { WebhookParameter, WebhookType } from './reference';
import type { Scope } from './scope';
import { Cursor } from './cursor';
import { readWebhookParameter } from './parse-reference';

/** A parameter that does not have the type the workflow requires. */
interface ParameterProblem {
  readonly name: string;
  readonly message: string;
}

/** Scope before any step was executed. */
const BEFORE_THE_RUN: Scope = {
  loops: [],
  exchange: () => undefined,
  webhookParameter: () => null,
  secret: () => '',
  scriptResult: () => null,
  given: () => null,
};

/**
 * Checks parameters before a run starts. Paths that depend on a loop can only be checked in the
 * run.
 * @param references `${name}`, `${name.path:type}`
 */
export function parameterProblems(
  references: readonly string[],
  parameters: ValueMap,
): ParameterProblem[] {
  return references.flatMap((text) => {
    const parameter = read(text);
    if (parameter === null || parameter.segments.some(({ kind }) => kind === 'turn')) return [];
    try {
      parameterValue(parameter, parameters, BEFORE_THE_RUN);
      return [];
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return [{ name: parameter.name.trim(), message: error.message }];
    }
  });
}

/** Returns null for an invalid reference, which validation of the workflow reports. */
function read(text: string): WebhookParameter | null {
  try {
    return readWebhookParameter(new Cursor(text));
  } catch {
    return null;
  }
}

/** Parses the start parameters of a run; returns an error if they are no JSON object or inexact. */
export function readParameters(json: string): ValueMap | EngineError {
  try {
    const value = parseExactJson(json) as Value;
    if (isMap(value)) return value;
  } catch {
    // What is wrong with it may quote it.
  }
  return new EngineError(
    'WEBHOOK_PARAMETER_INVALID',
    'What the run was started with is no JSON object that can be read exactly.',
  );
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Returns a webhook parameter converted to the type in the workflow; null if missing. URL
 * parameters are texts, so a text is parsed according to the type.
 * @throws EngineError WEBHOOK_PARAMETER_INVALID
 */
export function parameterValue(
  { name, segments, type }: WebhookParameter,
  parameters: ValueMap,
  scope: Scope,
): Value {
  const value = followPath(ownField(parameters, name.trim()) ?? null, segments, scope);
  if (value === null || type === null || type === 'undefined') return value;
  const typed = asType(value, type);
  if (typed === undefined)
    throw new EngineError(
      'WEBHOOK_PARAMETER_INVALID',
      `The webhook parameter ${JSON.stringify(name.trim().slice(0, 100))} is a value of kind ${kindOf(value)} that is no ${type}.`,
    );
  return typed;
}

/** Returns undefined if the conversion is impossible. */
function asType(value: Value, type: Exclude<WebhookType, 'undefined'>): Value | undefined {
  switch (type) {
    case 'string':
      return toText(value);
    case 'number':
      return numberOf(value);
    case 'integer': {
      const number = numberOf(value);
      return typeof number === 'bigint' || Number.isInteger(number) ? number : undefined;
    }
    case 'boolean':
      return booleanOf(value);
    case 'array':
      return listOf(value);
    case 'object':
      return mapOf(value);
  }
}

/** Integers of any length stay exact. */
function numberOf(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  const text = typeof value === 'string' ? value.trim() : '';
  if (!NUMBER.test(text)) return undefined;
  const number = Number(text);
  if (/^[+-]?\d+$/.test(text) && !Number.isSafeInteger(number))
    return BigInt(text.replace(/^\+/, ''));
  return Number.isFinite(number) ? number : undefined;
}

function booleanOf(value: Value): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = toText(value).trim().toLowerCase();
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

/** Wraps a single value in a list, since a URL parameter may occur once. */
function listOf(value: Value): Value {
  const read = typeof value === 'string' ? jsonOf(value) : value;
  return isList(read) ? read : [value];
}

function mapOf(value: Value): Value | undefined {
  const read = typeof value === 'string' ? jsonOf(value) : value;
  return isMap(read) ? read : undefined;
}

function jsonOf(text: string): Value {
  try {
    return /^\s*[[{]/.test(text) ? (parseExactJson(text) as Value) : null;
  } catch {
    return null;
  }
}
