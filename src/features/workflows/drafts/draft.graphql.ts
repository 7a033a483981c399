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
import { inputType } from '../../../platform/graphql/schema/input-type';
import { Needs, ServedOnFullDisk } from '../../../platform/graphql/schema/needs';
import { payload } from '../../../platform/graphql/schema/payload';
import { DateTime, JSONValue } from '../../../platform/graphql/schema/scalars';
import type { WorkflowRecord } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';
import { Workflow, WorkflowPayload } from '../workflow.types';
import type { DraftRecord } from './workflow-drafts';

@ObjectType({ description: 'What you have not saved of a workflow; only you see it.' })
export class WorkflowDraft {
  @Field(() => DateTime, { description: 'When it was stored.' })
  readonly savedAt!: Date;
}

export const WorkflowDraftSetInput = inputType(
  'WorkflowDraftSetInput',
  'Your draft of a workflow.',
  {
    workflowId: [ID, 'Global or integer id.'],
    content: [JSONValue, 'Any JSON, which is not checked; at most 256 KiB.'],
  },
);
export type WorkflowDraftSetInput = InstanceType<typeof WorkflowDraftSetInput>;

export const WorkflowDraftRemoveInput = inputType(
  'WorkflowDraftRemoveInput',
  'A workflow whose draft is removed.',
  { workflowId: [ID, 'Global or integer id.'] },
);
export type WorkflowDraftRemoveInput = InstanceType<typeof WorkflowDraftRemoveInput>;

@Resolver(() => Workflow)
export class DraftOfWorkflowResolver {
  @Mutation(() => WorkflowPayload, {
    description:
      'Stores your draft of a workflow, in place of an earlier one: for what cannot be saved yet. Each user has one; only you see it, and it is deleted with the workflow.',
  })
  @Needs(workflowPolicy.update)
  workflowDraftSet(
    @Arg('input') { workflowId, content }: WorkflowDraftSetInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('workflow', (ids) =>
      services.workflowDrafts.set(actor, ids.read('Workflow', workflowId, ['workflowId']), content),
    );
  }

  @Mutation(() => WorkflowPayload, { description: 'Removes your draft of a workflow, if any.' })
  @ServedOnFullDisk()
  @Needs(workflowPolicy.update)
  workflowDraftRemove(
    @Arg('input') { workflowId }: WorkflowDraftRemoveInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('workflow', (ids) =>
      services.workflowDrafts.remove(actor, ids.read('Workflow', workflowId, ['workflowId'])),
    );
  }

  @FieldResolver(() => WorkflowDraft, {
    nullable: true,
    description: 'Your draft of it; null if there is none, or you may not update workflows.',
  })
  draft(
    @Root() { _id }: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<DraftRecord | null> {
    const { actor, services } = context;
    return context
      .loader<number, DraftRecord>('workflowDrafts', (ids) =>
        services.workflowDrafts.of(actor, ids),
      )
      .load(_id);
  }
}

@Resolver(() => WorkflowDraft)
export class WorkflowDraftResolver {
  @FieldResolver(() => JSONValue, { nullable: true, description: 'What was stored.' })
  content(@Root() { json }: DraftRecord): unknown {
    return JSON.parse(json);
  }
}
