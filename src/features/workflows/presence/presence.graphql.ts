import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { inputType, optional } from '../../../platform/graphql/schema/input-type';
import { Needs } from '../../../platform/graphql/schema/needs';
import { payload } from '../../../platform/graphql/schema/payload';
import { DateTime } from '../../../platform/graphql/schema/scalars';
import type { WorkflowRecord } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';
import { Author, Workflow, WorkflowPayload } from '../workflow.types';
import type { PresenceRecord } from './presence-records';

@ObjectType({ description: 'A user who has a workflow open in an editor.' })
export class WorkflowPresence {
  @Field(() => ID, { nullable: true, description: 'The step that they have selected.' })
  readonly stepId!: string | null;

  @Field(() => DateTime, { description: 'Since when they have it open.' })
  readonly since!: Date;
}

export const WorkflowPresenceSetInput = inputType(
  'WorkflowPresenceSetInput',
  'A workflow that the signed-in user has open.',
  {
    workflowId: [ID, 'Global or integer id.'],
    stepId: [optional(ID), 'The selected step. Default: none.'],
    present: [optional(Boolean), 'False: the user has left it. Default: true.'],
  },
);
export type WorkflowPresenceSetInput = InstanceType<typeof WorkflowPresenceSetInput>;

@Resolver(() => Workflow)
export class PresenceOfWorkflowResolver {
  @Mutation(() => WorkflowPayload, {
    description:
      'Records that you have a workflow open, for 30 seconds: repeat it every 10 to 20 seconds, and when another step is selected. `workflowsChanged(includePresence: true)` reports changes.',
  })
  @Needs(workflowPolicy.read)
  workflowPresenceSet(
    @Arg('input') { workflowId, stepId, present }: WorkflowPresenceSetInput,
    @Ctx() { actor, services: { presence } }: GraphqlContext,
  ) {
    return payload(
      'workflow',
      (ids) => {
        const id = ids.read('Workflow', workflowId, ['workflowId']);
        return present === false
          ? presence.end(actor, id)
          : presence.set(actor, id, stepId ?? null);
      },
      [[['id'], ['workflowId']]],
    );
  }

  @FieldResolver(() => [WorkflowPresence], {
    description: 'Users who have it open in an editor, also you, in the order of their coming.',
  })
  async presence(
    @Root() { _id }: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly PresenceRecord[]> {
    const loader = context.loader<number, readonly PresenceRecord[]>('workflowPresence', (ids) =>
      context.services.presence.of(ids),
    );
    return (await loader.load(_id)) ?? [];
  }
}

@Resolver(() => WorkflowPresence)
export class WorkflowPresenceResolver {
  @FieldResolver(() => Author, { description: 'The user.' })
  user(@Root() { userId, email }: PresenceRecord): Author {
    return { userId, email };
  }
}
