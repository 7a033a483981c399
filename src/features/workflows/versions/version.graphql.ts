import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  Resolver,
  Root,
} from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { Needs } from '../../../platform/graphql/needs';
import { payload, VersionedInput } from '../../../platform/graphql/payload';
import { JSONValue } from '../../../platform/graphql/scalars';
import type { FieldBindingView } from '../steps/step.presenter';
import { presentBindings } from '../steps/step.presenter';
import { FieldBinding } from '../steps/step.types';
import { documentOf, workflowLoader } from '../workflow.loader';
import type { VersionRecord } from '../workflow.model';
import { DUPLICATE_NEED, workflowPolicy } from '../workflow.policy';
import { Workflow, WorkflowPayload, WorkflowVersion } from '../workflow.types';
import { isCurrent } from './version.rules';
import { WorkflowVersionPayload } from './version.types';

const WORKFLOW = 'Id of the workflow, global or integer.';
const SNAPSHOT = 'The version: its `snapshotId`.';

@InputType({ description: 'A version to make the current one.' })
class WorkflowVersionSwitchInput extends VersionedInput {
  @Field(() => ID, { description: WORKFLOW })
  readonly workflowId!: string;

  @Field(() => String, { description: SNAPSHOT })
  readonly snapshotId!: string;
}

@InputType({ description: 'What is to be remembered about a version.' })
class WorkflowVersionUpdateInput {
  @Field(() => ID, { description: WORKFLOW })
  readonly workflowId!: string;

  @Field(() => String, { description: SNAPSHOT })
  readonly snapshotId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What is remarkable about it, 500 characters at most; null for nothing.',
  })
  readonly comment?: string | null;
}

@InputType({ description: 'A version to delete.' })
class WorkflowVersionDeleteInput {
  @Field(() => ID, { description: WORKFLOW })
  readonly workflowId!: string;

  @Field(() => String, { description: SNAPSHOT })
  readonly snapshotId!: string;
}

@InputType({ description: 'A workflow to copy.' })
class WorkflowDuplicateInput {
  @Field(() => ID, { description: WORKFLOW })
  readonly workflowId!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Title of the copy. Without it: that of the workflow with `(copy)` behind it, and a number where that is taken.',
  })
  readonly title?: string | null;
}

/** Mutations of versions, and their fields other than the steps. */
@Resolver(() => WorkflowVersion)
export class VersionChangesResolver {
  @Mutation(() => WorkflowPayload, {
    description:
      'Makes an earlier version of a workflow the current one. No version is written; what was current before stays as one.',
  })
  @Needs(workflowPolicy.update)
  workflowVersionSwitch(
    @Arg('input') { workflowId, snapshotId, expectedVersion }: WorkflowVersionSwitchInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<WorkflowPayload> {
    return payload(
      'workflow',
      async (ids) =>
        (
          await services.workflows.switchVersion(
            actor,
            ids.read('Workflow', workflowId, ['workflowId']),
            snapshotId,
            expectedVersion,
          )
        ).record as Workflow,
      AT_WORKFLOW,
    );
  }

  @Mutation(() => WorkflowVersionPayload, {
    description: 'Says what is remarkable about a version.',
  })
  @Needs(workflowPolicy.update)
  workflowVersionUpdate(
    @Arg('input') { workflowId, snapshotId, comment = null }: WorkflowVersionUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<WorkflowVersionPayload> {
    return payload(
      'workflowVersion',
      async (ids) =>
        (
          await services.workflows.commentVersion(
            actor,
            ids.read('Workflow', workflowId, ['workflowId']),
            snapshotId,
            comment,
          )
        ).version as WorkflowVersion,
      AT_WORKFLOW,
    );
  }

  @Mutation(() => WorkflowVersionPayload, {
    description: 'Deletes a version that is neither the current one nor executed by a run.',
  })
  @Needs(workflowPolicy.delete)
  workflowVersionDelete(
    @Arg('input') { workflowId, snapshotId }: WorkflowVersionDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<WorkflowVersionPayload> {
    return payload(
      'workflowVersion',
      async (ids) =>
        (await services.workflows.removeVersion(
          actor,
          ids.read('Workflow', workflowId, ['workflowId']),
          snapshotId,
        )) as WorkflowVersion,
      AT_WORKFLOW,
    );
  }

  @Mutation(() => WorkflowPayload, {
    description:
      'Copies a workflow as it is now, with its masking rules and without its versions and runs.',
  })
  @Needs(DUPLICATE_NEED)
  workflowDuplicate(
    @Arg('input') { workflowId, title }: WorkflowDuplicateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<WorkflowPayload> {
    return payload(
      'workflow',
      async (ids) =>
        (
          await services.workflowDuplication.duplicate(
            actor,
            ids.read('Workflow', workflowId, ['workflowId']),
            title ?? null,
          )
        ).record as Workflow,
      AT_WORKFLOW,
    );
  }

  @FieldResolver(() => Boolean, { description: 'Is the workflow in this version now?' })
  async current(@Root() version: VersionRecord, @Ctx() context: GraphqlContext): Promise<boolean> {
    const workflow = await workflowLoader(context).load(version.workflowId);
    return workflow !== null && isCurrent(version, workflow);
  }

  @FieldResolver(() => [FieldBinding], { description: 'Its wiring between the steps.' })
  async fieldBindings(
    @Root() version: VersionRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<FieldBindingView[]> {
    return presentBindings(await documentOf(version, context));
  }

  @FieldResolver(() => JSONValue, { nullable: true, description: 'Its layout, as it was saved.' })
  async ui(@Root() version: VersionRecord, @Ctx() context: GraphqlContext): Promise<unknown> {
    return (await documentOf(version, context)).ui ?? null;
  }
}

/** These inputs call the id of the workflow `workflowId`. */
const AT_WORKFLOW = [[['id'], ['workflowId']]] as const;
