import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { NotFound } from '../../../platform/errors/errors';
import type { WorkflowRecord } from '../workflow.model';
import { Workflow } from '../workflow.types';
import type { WorkflowProblem as Problem } from './problem';
import { WorkflowProblem } from './validation.types';
import type { SavedRow } from './workflow-validation';

@Resolver(() => Workflow)
export class ValidationOfWorkflowResolver {
  @FieldResolver(() => [WorkflowProblem], {
    description:
      'What is wrong with it now, in the order in which its steps run; empty when it could run. 10,000 at most. Judged when asked: connectors and secrets come and go.',
  })
  async validation(
    @Root() { _id, content: { id, parts, hash }, categoryId }: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly Problem[]> {
    const problems = context.loader<string, readonly Problem[]>('workflowValidation', (keys) =>
      context.services.workflows.validationOf(
        context.actor,
        keys.map((key) => JSON.parse(key) as SavedRow),
      ),
    );
    const known = await problems.load(
      JSON.stringify({ _id, content: { id, parts, hash }, categoryId }),
    );
    if (!known)
      throw new NotFound(
        'VERSION_NOT_FOUND',
        'The workflow was changed or deleted meanwhile. Ask again.',
      );
    return known;
  }
}
