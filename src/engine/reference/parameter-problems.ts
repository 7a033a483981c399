import { EngineError } from '../errors';
import type { ValueMap } from '../value';
import { Cursor } from './cursor';
import { readWebhookParameter } from './parse-reference';
import type { WebhookParameter } from './reference';
import type { Scope } from './scope';
import { parameterValue } from './webhook-parameter';

/** A parameter that is none of what a workflow wants it to be. */
export interface ParameterProblem {
  /** What it is called. */
  readonly name: string;
  readonly message: string;
}

/** Nothing has been executed yet. */
const BEFORE_THE_RUN: Scope = {
  loops: [],
  exchange: () => undefined,
  webhookParameter: () => null,
  secret: () => '',
  scriptResult: () => null,
  given: () => null,
};

/**
 * What speaks against starting a run with these parameters. Where in a parameter a workflow looks may depend on a loop: that is judged when it does.
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

/** Null: it is none, which the validation of the workflow tells. */
function read(text: string): WebhookParameter | null {
  try {
    return readWebhookParameter(new Cursor(text));
  } catch {
    return null;
  }
}
