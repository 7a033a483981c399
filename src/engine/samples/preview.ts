import { isNativeError } from 'node:util/types';
import { cutText, MASK } from '../../platform/redaction';
import { EngineError, ExpressionError } from '../errors';
import { evaluate } from '../expression/evaluate';
import { parseExpression, parseLoop } from '../expression/parse';
import { planSteps } from '../plan/build';
import { fieldOf } from '../plan/clean';
import type { LoopNode, PlanNode } from '../plan/plan';
import type { LoopFrame, Scope } from '../reference/scope';
import type { Samples, ScriptCall } from '../ports';
import { compileBody, renderBody } from '../request/body-tree';
import { DEFAULT_LIMITS } from '../run/context';
import { openLoop } from '../run/open-loop';
import { variableJson } from '../scripts/evaluate-scripts';
import { codeOf, COPIED, variablesOf } from '../scripts/step-script';
import type { WorkflowSnapshot } from '../snapshot';
import { sourceValue } from '../text/template';
import { toJson, toText, withoutBytes } from '../value';
import type { Value } from '../value';
import { exchangesOf } from './sample';

/** Where texts are evaluated. */
export interface PreviewPlace {
  readonly snapshot: WorkflowSnapshot;
  readonly stepId: string;
  readonly samples: Samples;
  /** Iterations of the loops around the step, outermost first; missing ones are the first. */
  readonly iteration: readonly number[];
}

/** `TEXT`: as in a body field, URL or header; `EXPRESSION`: as in a condition or loop. */
export type PreviewKind = 'TEXT' | 'EXPRESSION';

export interface PreviewProblem {
  readonly code: string;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

export interface PreviewedValue {
  /** Null if it is too large or there is a problem. */
  readonly json: string | null;
  /** As it is inserted into a text; long ones are cut. */
  readonly text: string | null;
  readonly truncated: boolean;
  readonly problem: PreviewProblem | null;
  /** A reference found nothing, or null. */
  readonly missing: boolean;
}

/** A binding with its inputs. */
export interface PreviewedBinding {
  readonly inputs: readonly (readonly [name: string, json: string])[];
  /** Null for a binding that copies its first input, or with a problem. */
  readonly script: ScriptCall | null;
  readonly problem: PreviewProblem | null;
}

const MAX_JSON = 16 * 1024;
const MAX_TEXT = 2_000;
/** References in one text: each may insert a whole answer. */
const MAX_REFERENCES = 100;
const REFERENCE = /\.\((?:request|response)\)/g;
const LOOP = /^\s*(?:for|forin|splitstring)\s*\(/i;

/** Evaluates texts of a step on samples; nothing is sent. */
export async function previewTexts(
  place: PreviewPlace,
  kind: PreviewKind,
  texts: readonly string[],
): Promise<PreviewedValue[]> {
  const preview = await Preview.open(place);
  return texts.map((text) => preview.value(text, kind));
}

/** Reads the inputs of a field binding from samples, and its script. */
export async function previewBinding(
  place: PreviewPlace,
  binding: unknown,
): Promise<PreviewedBinding> {
  return (await Preview.open(place)).binding(binding);
}

class Preview {
  private isMissing = false;

  private constructor(private readonly scope: Scope) {}

  static async open({ snapshot, stepId, samples, iteration }: PreviewPlace): Promise<Preview> {
    const exchanges = await exchangesOf(samples);
    const loops: LoopFrame[] = [];
    const preview: Preview = new Preview({
      loops,
      exchange: (color) => exchanges.get(color),
      webhookParameter: () => null,
      secret: () => MASK,
      scriptResult: () => null,
      given: () => null,
      onEmpty: () => {
        preview.isMissing = true;
      },
    });
    const node = findNode(planSteps(snapshot, null).roots, stepId);
    for (const [depth, loop] of (node?.loops ?? []).entries())
      loops.push(frameOf(loop, iteration[depth] ?? 0, preview.scope));
    return preview;
  }

  value(text: string, kind: PreviewKind): PreviewedValue {
    this.isMissing = false;
    try {
      return this.shown(kind === 'TEXT' ? this.text(text) : this.expression(text));
    } catch (error) {
      const { isMissing: missing } = this;
      return { json: null, text: null, truncated: false, problem: problemOf(error), missing };
    }
  }

  binding(binding: unknown): PreviewedBinding {
    const enhancement = fieldOf(binding, 'enhancement');
    try {
      const inputs = variablesOf(binding).map(({ name, source }) => {
        const value = withoutBytes(sourceValue(source, this.scope));
        return [name, variableJson(value)] as const;
      });
      const [code, language] = [codeOf(enhancement), fieldOf(enhancement, 'language')];
      const script =
        code === null
          ? null
          : { code, language: typeof language === 'string' ? language : '', variables: inputs };
      return { inputs, script, problem: null };
    } catch (error) {
      return { inputs: [], script: null, problem: problemOf(error) };
    }
  }

  private text(text: string): Value {
    requireFew(text);
    return renderBody(compileBody(text), this.scope);
  }

  private expression(text: string): Value {
    requireFew(text);
    return evaluate(LOOP.test(text) ? parseLoop(text).over : parseExpression(text), this.scope);
  }

  private shown(value: Value): PreviewedValue {
    const json = toJson(value);
    const text = toText(value);
    const truncated = json.length > MAX_JSON;
    return {
      json: truncated ? null : json,
      text: cutText(text, MAX_TEXT),
      truncated,
      problem: null,
      missing: this.isMissing,
    };
  }
}

/** Returns the input that a binding without a script copies. */
export const copiedInput = (inputs: PreviewedBinding['inputs']): string | null =>
  (inputs.find(([name]) => name === COPIED) ?? inputs.at(0))?.[1] ?? null;

function findNode(nodes: readonly PlanNode[], stepId: string): PlanNode | undefined {
  for (const node of nodes) {
    const match =
      node.stepId === stepId
        ? node
        : node.kind === 'method'
          ? undefined
          : findNode(node.children, stepId);
    if (match !== undefined) return match;
  }
  return undefined;
}

/** A loop that cannot be evaluated, or has fewer iterations, has the position as its value. */
function frameOf(node: LoopNode, turn: number, scope: Scope): LoopFrame {
  const { iterator, loop } = node;
  const without: LoopFrame = { iterator, kind: 'For', size: 0, turn, value: turn, split: null };
  if (loop === null) return without;
  try {
    const { frame, turns } = openLoop(node, loop, scope, DEFAULT_LIMITS.maxLoopTurns);
    return { ...frame, turn, value: turn < turns.size ? turns.valueAt(turn) : turn };
  } catch (error) {
    if (error instanceof EngineError) return without;
    throw error;
  }
}

function requireFew(text: string): void {
  if ((text.match(REFERENCE) ?? []).length > MAX_REFERENCES)
    throw new EngineError(
      'VALUE_TOO_LARGE',
      `A preview of more than ${MAX_REFERENCES} references is not computed.`,
    );
}

function problemOf(error: unknown): PreviewProblem {
  if (error instanceof ExpressionError) {
    const { code, message, line, column } = error;
    return { code, message, line, column };
  }
  if (!(error instanceof EngineError) && !(isNativeError(error) && error instanceof RangeError))
    throw error;
  const code = error instanceof EngineError ? error.code : 'VALUE_TOO_LARGE';
  return { code, message: error.message, line: null, column: null };
}
