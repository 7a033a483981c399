import { EngineError } from '../errors';
import { evaluate } from '../expression/evaluate';
import { splitText } from '../expression/patterns';
import type { LoopExpression } from '../expression/tree';
import type { LoopNode } from '../plan/plan';
import { resolveReference } from '../reference/resolve';
import type { LoopFrame, Scope } from '../reference/scope';
import { isList, isMap, kindOf, toText, withoutBytes } from '../value';
import type { Value } from '../value';

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
  { iterator }: Pick<LoopNode, 'iterator'>,
  loop: LoopExpression,
  scope: Scope,
  maxTurns: number,
): { frame: LoopFrame; turns: Turns } {
  const turns = turnsOver(loop, scope);
  if (turns.size > maxTurns) {
    throw new EngineError(
      'LOOP_TOO_LONG',
      `The loop has ${turns.size} turns, more than the ${maxTurns} allowed.`,
    );
  }
  return {
    frame: {
      iterator,
      kind: loop.kind,
      size: turns.size,
      turn: 0,
      value: 0,
      split: turns.split,
    },
    turns,
  };
}

function turnsOver(loop: LoopExpression, scope: Scope): Turns {
  const over =
    loop.kind === 'For' && loop.over.kind === 'reference'
      ? withoutBytes(resolveReference(loop.over.reference, scope, true))
      : evaluate(loop.over, scope);
  if (over === null) return { size: 0, valueAt: (turn) => turn, split: null };
  switch (loop.kind) {
    case 'For':
      return listTurns(over);
    case 'ForIn':
      return keyTurns(over);
    case 'SplitString':
      return partTurns(over, toText(evaluate(loop.delimiter, scope)));
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
