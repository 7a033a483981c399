import { isNativeError } from 'node:util/types';
import { EngineError } from '../errors';
import { parseExactJson } from '../exact-json';
import type { MethodNode } from '../plan/plan';
import type { RunContext } from '../run/context';
import { learnEverything } from '../run/learn-everything';
import { sourceValue } from '../text/template';
import { withoutBytes } from '../value';
import type { Value } from '../value';
import type { StepScript } from './step-script';
import { variableJson } from './values';

/** Characters of what a script says when it fails. */
const LONGEST_MESSAGE = 500;

/**
 * Evaluates the scripts of a step, one after the other, before its request is built: what they leave stands in the request like the value of
 * a reference, and is data from then on.
 * @throws EngineError BINDING_FIELD_UNKNOWN, BINDING_TYPE_UNKNOWN, VALUE_TOO_LARGE
 * @throws Error with the code of the port of scripts
 */
export async function evaluateScripts({ scripts }: MethodNode, context: RunContext): Promise<void> {
  const results: Value[] = [];
  for (const script of scripts) results.push(await evaluateScript(script, context));
  context.scriptResults = results;
}

async function evaluateScript({ language, code, variables, misplaced }: StepScript, context: RunContext): Promise<Value> {
  if (misplaced !== null) throw misplaced;
  const given = variables.map(({ name, source }) => [name, variableJson(withoutBytes(sourceValue(source, context.scope)))] as const);
  try {
    return resultOf(await context.ports.scripts.evaluate({ language, code, variables: given }, context.stop.signal));
  } catch (error) {
    context.stop.check();
    throw await told(error, context);
  }
}

/** The polyglot engine is another's program, and what it answers is looked at like what a remote system answers. */
function resultOf(json: string): Value {
  try {
    return parseExactJson(json) as Value;
  } catch {
    throw new EngineError('SCRIPT_RESULT_INVALID', 'RESULT_VAR holds a number that would be rounded or lost, or is no JSON that can be read.');
  }
}

/** A script may say in an error what it was given: the secrets of that are learned before anything is cut, so that none is cut in two. */
async function told(error: unknown, context: RunContext): Promise<unknown> {
  if (!isNativeError(error) || !('code' in error) || error.message.length <= LONGEST_MESSAGE) return error;
  await learnEverything(context, null);
  const message = context.secrets.hide(error.message.slice(0, LONGEST_MESSAGE), true);
  return new EngineError(error.code as EngineError['code'], `${message}…`);
}
