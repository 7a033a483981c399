import { EngineError } from '../errors';
import { parseExactJson } from '../exact-json';
import { isList, isMap, kindOf, ownField, toText } from '../value';
import type { Value, ValueMap } from '../value';
import { followPath } from './path';
import type { WebhookParameter, WebhookType } from './reference';
import type { Scope } from './scope';

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
