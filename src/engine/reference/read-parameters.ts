import { EngineError } from '../errors';
import { parseExactJson } from '../exact-json';
import { isMap } from '../value';
import type { Value, ValueMap } from '../value';

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
