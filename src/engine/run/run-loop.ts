import { EngineError } from '../errors';
import { evaluate } from '../expression/evaluate';
import { splitText } from '../expression/patterns';
import type { LoopExpression } from '../expression/tree';
import { resolveReference } from '../reference/resolve';
import type { LoopFrame } from '../reference/scope';
import { isList, isMap, kindOf, toText, withoutBytes } from '../value';
import type { Value } from '../value';
import type { LoopNode } from '../plan/plan';
import type { RunContext } from './context';

/** Iterations of a loop, determined before the first one. */
interface Turns {
  readonly size: number;
  valueAt(turn: number): string | number;
  readonly split: LoopFrame['split'];
}

/**
 * Evaluates the loop expression and returns the frame of the first iteration. Null means no
 * iterations.
 * @throws EngineError EXPRESSION_TYPE_MISMATCH, LOOP_TOO_LONG and evaluation errors
 */
export function openLoop(
  node: LoopNode,
  loop: LoopExpression,
  context: RunContext,
): { frame: LoopFrame; turns: Turns } {
  const turns = turnsOver(loop, context);
  if (turns.size > context.limits.maxLoopTurns) {
    throw new EngineError(
      'LOOP_TOO_LONG',
      `The loop has ${turns.size} turns, more than the ${context.limits.maxLoopTurns} allowed.`,
    );
  }
  return {
    frame: {
      iterator: node.iterator,
      kind: loop.kind,
      size: turns.size,
      turn: 0,
      value: 0,
      split: turns.split,
    },
    turns,
  };
}

function turnsOver(loop: LoopExpression, context: RunContext): Turns {
  const over =
    loop.kind === 'For' && loop.over.kind === 'reference'
      ? withoutBytes(resolveReference(loop.over.reference, context.scope, true))
      : evaluate(loop.over, context.scope);
  if (over === null) return { size: 0, valueAt: (turn) => turn, split: null };
  switch (loop.kind) {
    case 'For':
      return listTurns(over);
    case 'ForIn':
      return keyTurns(over);
    case 'SplitString':
      return partTurns(over, toText(evaluate(loop.delimiter, context.scope)));
  }
}

function listTurns(over: Value): Turns {
  if (!isList(over)) throw wrongKind('For', 'a list', over);
  return { size: over.length, valueAt: (turn) => turn, split: null };
}

function keyTurns(over: Value): Turns {
  if (!isMap(over)) throw wrongKind('ForIn', 'an object', over);
  const keys = Object.keys(over);
  return { size: keys.length, valueAt: (turn) => keys[turn], split: null };
}

function partTurns(over: Value, delimiter: string): Turns {
  if (typeof over === 'object') throw wrongKind('SplitString', 'a text', over);
  const text = String(over);
  const parts = splitText(text, delimiter);
  return { size: parts.length, valueAt: (turn) => parts[turn], split: { text, parts } };
}

function wrongKind(loop: string, expected: string, over: Value): EngineError {
  return new EngineError(
    'EXPRESSION_TYPE_MISMATCH',
    `${loop} needs ${expected}, found a value of kind ${kindOf(over)}.`,
  );
}
