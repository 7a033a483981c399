import { expressionCompiler } from './expression';
import { arithmeticOperators } from './operators/arithmetic';
import { arrayOperators } from './operators/arrays';
import { dateOperators } from './operators/dates';
import { logicOperators } from './operators/logic';
import { stringOperators } from './operators/strings';

/**
 * Compiles an aggregation expression of the operators the store knows.
 * @throws StoreError 115 naming any other operator
 */
export const compileExpression = expressionCompiler({
  ...logicOperators, ...arithmeticOperators, ...stringOperators, ...arrayOperators, ...dateOperators,
});
