import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { NotFound } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { enumOf } from '../../../platform/graphql/schema/enums';
import { databaseId } from '../../../platform/graphql/schema/ids';
import { Needs } from '../../../platform/graphql/schema/needs';
import { changeOf, WorkflowInput } from '../document/workflow-input.types';
import type { WorkflowRecord } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';
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
    description: 'Id of the field binding; null if the problem is not about one.',
  })
  readonly bindingId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Path within the step, or else within the document: names joined with dots.',
  })
  readonly field!: string | null;

  @Field(() => [String], {
    description:
      'Path to the wrong value within the field binding, or else the step, or the document: `["request", "header", "X-Key"]`. Empty: all of it.',
  })
  readonly path!: readonly string[];

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

@Resolver()
export class DraftValidationResolver {
  @Query(() => [WorkflowProblem], {
    description:
      'The problems of a workflow that is not saved, in execution order; empty if it can run. At most 10,000. Nothing is saved. Steps are named by the `stepId` that is sent.',
  })
  @Needs(workflowPolicy.read)
  workflowValidate(
    @Arg('workflow', { description: 'The draft.' }) workflow: WorkflowInput,
    @Arg('draftOf', () => ID, {
      nullable: true,
      description:
        'The saved workflow that it changes: what the draft does not contain is as saved, as in `workflowUpdate`.',
    })
    draftOf: string | null | undefined,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<readonly Problem[]> {
    return services.workflowValidation.validateDraft(
      actor,
      changeOf(workflow, { read: readId }, [], ['workflow']),
      draftOf == null ? null : readId('Workflow', draftOf, ['draftOf']),
    );
  }
}

const readId = (type: string, id: string | number, path?: InputPath): number =>
  databaseId(id, type, path);

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
