import { childrenOf } from './tree';
import type { Expression, LoopExpression, RelationName } from './tree';

/** Relations whose cost depends on both the text and the workflow. */
const LONG_RELATIONS: ReadonlySet<RelationName> = new Set<RelationName>([
  'Matches',
  'AllowList',
  'DenyList',
]);

/** Returns whether the evaluation may block the process for seconds or longer. */
export function conditionMayTakeLong(expression: Expression): boolean {
  return (
    (expression.kind === 'relation' && LONG_RELATIONS.has(expression.name)) ||
    childrenOf(expression).some(conditionMayTakeLong)
  );
}

/** The same for the expression of a loop. */
export function loopMayTakeLong(loop: LoopExpression): boolean {
  return loop.kind === 'SplitString' || conditionMayTakeLong(loop.over);
}
