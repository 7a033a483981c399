import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { NotFound } from '../../../platform/errors/errors';
import { enumOf } from '../../../platform/graphql/schema/enums';
import type { WorkflowRecord } from '../workflow.model';
import { Workflow } from '../workflow.types';
import type { WorkflowProblem as Problem, WorkflowProblemCode as Code } from './problem';
import { WORKFLOW_PROBLEM_CODES } from './problem';
import type { SavedRow } from './workflow-validation';

export const WorkflowProblemCode = enumOf(
  WORKFLOW_PROBLEM_CODES,
  'WorkflowProblemCode',
  'Kinds of problems of a workflow.',
);

@ObjectType({ description: 'A problem of a workflow, and its position.' })
export class WorkflowProblem implements Problem {
  @Field(() => String, {
    nullable: true,
    description:
      'Index of the step; null if the problem is not about a step, or the step has no index.',
  })
  readonly index!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the step; null if the problem is not about a step.',
  })
  readonly stepId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Path within the step, or else within the document: names joined with dots.',
  })
  readonly field!: string | null;

  @Field(() => WorkflowProblemCode, { description: 'Kind of the problem, for programs.' })
  readonly code!: Code;

  @Field(() => String, { description: 'Description of the problem, for users.' })
  readonly message!: string;

  @Field(() => Int, { nullable: true, description: 'Line in a text that does not parse, from 1.' })
  readonly line!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Column in a text that does not parse, from 1.',
  })
  readonly column!: number | null;
}

@Resolver(() => Workflow)
export class ValidationOfWorkflowResolver {
  @FieldResolver(() => [WorkflowProblem], {
    description:
      'Its problems, in execution order; empty if it can run. At most 10,000. Checked at each read, because connectors and secrets change.',
  })
  async validation(
    @Root() { _id, content: { id, parts, hash }, categoryId }: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly Problem[]> {
    const problems = context.loader<string, readonly Problem[]>('workflowValidation', (keys) =>
      context.services.workflowValidation.validateSaved(
        context.actor,
        keys.map((key) => JSON.parse(key) as SavedRow),
      ),
    );
    const result = await problems.load(
      JSON.stringify({ _id, content: { id, parts, hash }, categoryId }),
    );
    if (!result)
      throw new NotFound(
        'VERSION_NOT_FOUND',
        'The workflow was changed or deleted while it was read. Try again.',
      );
    return result;
  }
}
