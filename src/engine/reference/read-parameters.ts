import { EngineError } from '../errors';
import { parseExactJson } from '../exact-json';
import { isMap } from '../value';
import type { Value, ValueMap } from '../value';

/** What a run is started with, out of a JSON text. Why it cannot be, where it is none, or holds a number that would be rounded. */
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
