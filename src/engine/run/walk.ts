import { EngineError, failureOf } from '../errors';
import { evaluate } from '../expression/evaluate';
import type { Place } from '../events';
import { kindOf } from '../value';
import type { LoopFrame } from '../reference/scope';
import type { IfNode, LoopNode, PlanNode } from '../plan/plan';
import { describeOperator, describeStep, operatorMessage } from '../plan/step-name';
import type { RunContext } from './context';
import { enterStep } from './context';
import { runStep } from './run-step';
import { emitWarnings } from './step-executor';
import { StepFailed } from './stop';
import { openLoop } from './open-loop';

const holds = (node: PlanNode, stepId: string): boolean =>
  node.stepId === stepId ||
  (node.kind !== 'method' && node.children.some((child) => holds(child, stepId)));

/** Whether the run executes the node, or something in it. */
const isExecuted = (node: PlanNode, { part }: RunContext): boolean =>
  part === null || part.only === null || holds(node, part.only);

/** Whether the run ends after the node: after its last step, or where that was not reached. */
const isLast = (node: PlanNode, { part, loops }: RunContext): boolean =>
  part !== null &&
  part.until !== null &&
  (node.stepId === part.until || (loops.length === 0 && holds(node, part.until)));

/**
 * Executes the steps in order; the first failure ends the run.
 * @throws StepFailed, RunStopped, EventsRefused
 * @throws EngineError failures of the run as a whole: RUN_TOO_MANY_TURNS, and errors of the event
 *   log
 */
export async function walk(nodes: readonly PlanNode[], context: RunContext): Promise<void> {
  for (const node of nodes) {
    if (context.isDone) return;
    if (context.part !== null && !isExecuted(node, context)) continue;
    context.stop.check();
    if (!node.enabled) {
      await reportSkipped(node, context);
      context.isDone ||= isLast(node, context);
      continue;
    }
    if (node.kind === 'method') {
      await runStep(node, context);
      context.isDone ||= isLast(node, context);
      continue;
    }
    const room = context.events.settle();
    if (room !== undefined) await room;
    if (node.mayTakeLong) context.ports.flush?.();
    const { loopIndex } = enterStep(node, context);
    const place: Place = { stepId: node.stepId, index: node.index, loopIndex };
    if (node.kind === 'if') await walkIf(node, place, context);
    else await walkLoop(node, place, context);
    context.isDone ||= isLast(node, context);
  }
}

/** Reports a step that is switched off, only in the first iteration of its loops. */
async function reportSkipped(node: PlanNode, context: RunContext): Promise<void> {
  if (context.loops.some(({ turn }) => turn > 0)) return;
  const { stepId, index } = node;
  const { loopIndex } = enterStep(node, context);
  const name =
    node.kind === 'method' ? describeStep(node) : describeOperator(node.index, node.kind);
  const message = `${name} is disabled, and skipped.`;
  await context.events.emit({ kind: 'RunLog', level: 'INFO', stepId, index, loopIndex, message });
}

async function walkIf(node: IfNode, place: Place, context: RunContext): Promise<void> {
  let result: boolean;
  try {
    result = condition(node, context);
  } catch (error) {
    throw await operatorFailed(error, node, place, context);
  }
  await context.events.emit({
    kind: 'ConditionEvaluated',
    ...place,
    expression: node.text,
    result,
  });
  if (!context.empties.isEmpty) await emitWarnings(context);
  const isOnlyPath = context.part !== null && context.part.only !== null;
  if (!result && isOnlyPath)
    await context.events.emit({
      kind: 'RunLog',
      level: 'WARN',
      ...place,
      message:
        'The condition is false with these samples: the workflow would not execute the step.',
    });
  if (result || isOnlyPath) await walk(node.children, context);
}

async function walkLoop(node: LoopNode, place: Place, context: RunContext): Promise<void> {
  const { frame, turns } = await opened(node, place, context);
  await context.events.emit({
    kind: 'LoopStarted',
    ...place,
    expression: node.text,
    iterator: node.iterator,
    size: turns.size,
  });
  if (!context.empties.isEmpty) await emitWarnings(context);
  context.loops.push(frame);
  let turn = 0;
  for (; turn < turns.size && !context.isDone; turn += 1) {
    await context.pause.yieldToEventLoop();
    context.stop.check();
    countTurn(context);
    frame.turn = turn;
    frame.value = turns.valueAt(turn);
    if (node.holdsMethods) await emitTurn(node, frame, place, context);
    await walk(node.children, context);
    if (context.part !== null) context.isDone ||= context.part.only !== null;
  }
  context.loops.pop();
  await context.events.emit({ kind: 'LoopFinished', ...place, turns: turn });
}

/** @throws StepFailed */
async function opened(
  node: LoopNode,
  place: Place,
  context: RunContext,
): Promise<ReturnType<typeof openLoop>> {
  try {
    if (node.loop === null) throw emptyExpression(node);
    const loop = openLoop(node, node.loop, context.scope, context.limits.maxLoopTurns);
    if (loop.turns.size === 0 && context.part !== null && context.part.only !== null)
      throw new EngineError('SAMPLE_MISSING', 'The loop has no iteration with these samples.');
    return loop;
  } catch (error) {
    throw await operatorFailed(error, node, place, context);
  }
}

/** @throws EngineError RUN_TOO_MANY_TURNS */
function countTurn(context: RunContext): void {
  context.turns += 1;
  const { maxTurns } = context.limits;
  if (context.turns > maxTurns)
    throw new EngineError(
      'RUN_TOO_MANY_TURNS',
      `The loops of the run have more than ${maxTurns} turns together.`,
    );
}

function emitTurn(
  node: LoopNode,
  { kind, turn, size, value }: LoopFrame,
  place: Place,
  context: RunContext,
): void | Promise<void> {
  return context.events.later(() => {
    const shown = kind === 'For' ? turn : (context.segments?.label(value) ?? null);
    return { kind: 'LoopIteration', ...place, iterator: node.iterator, turn, size, value: shown };
  });
}

/** @throws EngineError EXPRESSION_NOT_BOOLEAN and evaluation errors */
function condition(node: IfNode, context: RunContext): boolean {
  if (node.expression === null) throw emptyExpression(node);
  const value = evaluate(node.expression, context.scope);
  if (typeof value === 'boolean') return value;
  throw new EngineError(
    'EXPRESSION_NOT_BOOLEAN',
    `${nameOf(node)}: the expression is not true or false but a value of kind ${kindOf(value)}.`,
  );
}

/** Emits `OperatorFailed` and returns the error that ends the run. */
async function operatorFailed(
  error: unknown,
  node: IfNode | LoopNode,
  place: Place,
  context: RunContext,
): Promise<StepFailed> {
  const { code, message } = failureOf(error);
  const text = operatorMessage(node.index, node.kind, message);
  const iterator = node.kind === 'loop' ? node.iterator : null;
  await context.events.emit({
    kind: 'OperatorFailed',
    ...place,
    operator: node.kind,
    expression: node.text,
    iterator,
    error: { code, message: text },
  });
  if (!context.empties.isEmpty) await emitWarnings(context);
  return new StepFailed(
    {
      step: node.stepId,
      index: node.index,
      loopIndex: place.loopIndex,
      attempt: 1,
      code,
      message: text,
    },
    error,
  );
}

function emptyExpression(node: IfNode | LoopNode): EngineError {
  return new EngineError(
    'OPERATOR_EXPRESSION_IS_EMPTY',
    `${nameOf(node)} has null or empty expression`,
  );
}

const nameOf = ({ index, kind }: IfNode | LoopNode): string => describeOperator(index, kind);
