import { EngineError } from '../errors';
import type { ValueMap } from '../value';
import { Cursor } from './cursor';
import { readWebhookParameter } from './parse-reference';
import type { WebhookParameter } from './reference';
import type { Scope } from './scope';
import { parameterValue } from './webhook-parameter';

/** A parameter that does not have the type the workflow requires. */
export interface ParameterProblem {
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
