import { isNativeError } from 'node:util/types';
import { EngineError } from '../errors';
import { parseExactJson } from '../exact-json';
import type { MethodNode } from '../plan/plan';
import type { RunContext } from '../run/context';
import { learnEverything } from '../run/step-executor';
import { sourceValue } from '../text/template';
import { isList, isMap, toJson, withoutBytes } from '../value';
import type { Value } from '../value';
import type { StepScript } from './step-script';
import { ATTRIBUTES_FIELD, VALUE_FIELD } from '../reference/xml-marks';

const LOOKS_LIKE_JSON = /^\s*[[{]/;

/**
 * Converts a value for scripts. A text that is a JSON object or list becomes that; scalars become
 * texts. Integers beyond 2^53 within objects and lists become texts, to avoid rounding. XML marks
 * are abbreviated.
 * @throws EngineError VALUE_TOO_LARGE
 */
export function variableJson(value: Value): string {
  return withShortMarks(jsonOf(value));
}

/** JSON does not escape any character of the marks. */
const withShortMarks = (json: string): string =>
  json.replaceAll(`${ATTRIBUTES_FIELD}.`, '@').replaceAll(`.${VALUE_FIELD}`, '');

function jsonOf(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return jsonOfText(value);
  if (typeof value !== 'object') return JSON.stringify(String(value));
  return treeJson(value);
}

function jsonOfText(text: string): string {
  if (!LOOKS_LIKE_JSON.test(text)) return JSON.stringify(text);
  try {
    return treeJson(parseExactJson(text) as Value);
  } catch {
    return JSON.stringify(text);
  }
}

/** Iterative, since a response may be nested a million levels deep. */
function holdsBigint(root: Value): boolean {
  const open: Value[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'bigint') return true;
    if (isList(value) || isMap(value))
      for (const inner of Object.values<Value>(value)) open.push(inner);
  }
  return false;
}

function treeJson(value: Value): string {
  return holdsBigint(value)
    ? JSON.stringify(value, (_name, inner: unknown) =>
        typeof inner === 'bigint' ? String(inner) : inner,
      )
    : toJson(value);
}

/** Maximum length of a script error message, in characters. */
const LONGEST_MESSAGE = 500;

/**
 * Evaluates the scripts of a step in order, before its request is built. The results are data.
 * @throws EngineError BINDING_FIELD_UNKNOWN, BINDING_TYPE_UNKNOWN, VALUE_TOO_LARGE
 * @throws Error with a code of the script port
 */
export async function evaluateScripts({ scripts }: MethodNode, context: RunContext): Promise<void> {
  const results: Value[] = [];
  for (const script of scripts) results.push(await evaluateScript(script, context));
  context.scriptResults = results;
}

async function evaluateScript(
  { language, code, variables, misplaced }: StepScript,
  context: RunContext,
): Promise<Value> {
  if (misplaced !== null) throw misplaced;
  const inputs = variables.map(
    ({ name, source }) =>
      [name, variableJson(withoutBytes(sourceValue(source, context.scope)))] as const,
  );
  try {
    return resultOf(
      await context.ports.scripts.evaluate(
        { language, code, variables: inputs },
        context.stop.signal,
      ),
    );
  } catch (error) {
    context.stop.check();
    throw await shortenMessage(error, context);
  }
}

/** Parses a result; the polyglot engine is a separate program, so its output is not trusted. */
function resultOf(json: string): Value {
  try {
    return parseExactJson(json) as Value;
  } catch {
    throw new EngineError(
      'SCRIPT_RESULT_INVALID',
      'RESULT_VAR holds a number that would be rounded or lost, or is no JSON that can be read.',
    );
  }
}

/** Truncates a long error message; hides secrets before, so that none is cut in two. */
async function shortenMessage(error: unknown, context: RunContext): Promise<unknown> {
  if (!isNativeError(error) || !('code' in error) || error.message.length <= LONGEST_MESSAGE)
    return error;
  await learnEverything(context, null);
  const message = context.secrets.hide(error.message.slice(0, LONGEST_MESSAGE), true);
  return new EngineError(error.code as EngineError['code'], `${message}…`);
}
