import { Arg, Query, Resolver } from 'type-graphql';
import { EXPRESSION_OPERATORS } from '../../../engine';
import type { ExpressionOperator } from '../../../engine';
import { Needs } from '../../../platform/graphql/schema/needs';
import { workflowPolicy } from '../workflow.policy';
import { expressionOfForm, readExpressionForm } from './expression-forms';
import type { ExpressionFormResult as Result } from './expression-forms';
import { ExpressionFormInput, ExpressionFormResult, ExpressionFunction } from './expression.types';

/** The expression language, for editors. */
@Resolver()
export class ExpressionResolver {
  @Query(() => ExpressionFormResult, {
    description: 'The form of the expression of a condition or loop.',
  })
  @Needs(workflowPolicy.read)
  expressionForm(@Arg('text', { description: 'The expression.' }) text: string): Result {
    return readExpressionForm(text);
  }

  @Query(() => String, {
    description: 'The expression that a form means: the inverse of `expressionForm`.',
  })
  @Needs(workflowPolicy.read)
  expressionText(
    @Arg('form', () => ExpressionFormInput, { description: 'The form.' }) form: ExpressionFormInput,
  ): string {
    return expressionOfForm(form);
  }

  @Query(() => [ExpressionFunction], {
    description: 'All operators and functions of the expression language.',
  })
  @Needs(workflowPolicy.read)
  expressionFunctions(): readonly ExpressionOperator[] {
    return EXPRESSION_OPERATORS;
  }
}
