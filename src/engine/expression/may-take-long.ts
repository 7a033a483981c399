import { childrenOf } from './tree';
import type { Expression, LoopExpression, RelationName } from './tree';

/** They look at a text in many ways, of which it and the workflow decide the number. */
const LONG_RELATIONS: ReadonlySet<RelationName> = new Set<RelationName>([
  'Matches',
  'AllowList',
  'DenyList',
]);

/** Can its evaluation hold up the process for seconds or minutes? */
export function conditionMayTakeLong(expression: Expression): boolean {
  return (
    (expression.kind === 'relation' && LONG_RELATIONS.has(expression.name)) ||
    childrenOf(expression).some(conditionMayTakeLong)
  );
}

/** The same of what a loop goes over. */
export function loopMayTakeLong(loop: LoopExpression): boolean {
  return loop.kind === 'SplitString' || conditionMayTakeLong(loop.over);
}
