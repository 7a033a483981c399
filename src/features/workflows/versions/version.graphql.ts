import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { payload, VersionedInput } from '../../../platform/graphql/schema/payload';
import { inputType, optional } from '../../../platform/graphql/schema/input-type';
import { Needs, ServedOnFullDisk } from '../../../platform/graphql/schema/needs';
import { JSONValue } from '../../../platform/graphql/schema/scalars';
import { payloadType } from '../../../platform/graphql/schema/record-types';
import type { FieldBindingView } from '../document/step.presenter';
import { presentBindings } from '../document/step.presenter';
import { FieldBinding } from '../document/step.types';
import { documentOf, workflowLoader } from '../workflow.loader';
import type { VersionRecord } from '../workflow.model';
import { DUPLICATE_NEED, workflowPolicy } from '../workflow.policy';
import { WorkflowPayload, WorkflowVersion } from '../workflow.types';
import { isCurrent } from './version.service';

const WORKFLOW = 'Id of the workflow, global or integer.';
const SNAPSHOT = 'The version: its `snapshotId`.';

const WorkflowVersionSwitchInput = inputType(
  'WorkflowVersionSwitchInput',
  'A version to make the current one.',
  {
    workflowId: [ID, WORKFLOW],
    snapshotId: [String, SNAPSHOT],
  },
  VersionedInput,
);
type WorkflowVersionSwitchInput = InstanceType<typeof WorkflowVersionSwitchInput>;

const WorkflowVersionUpdateInput = inputType(
  'WorkflowVersionUpdateInput',
  'The comment of a version.',
  {
    workflowId: [ID, WORKFLOW],
    snapshotId: [String, SNAPSHOT],
    comment: [optional(String), 'The comment, at most 500 characters; null removes it.'],
  },
);
type WorkflowVersionUpdateInput = InstanceType<typeof WorkflowVersionUpdateInput>;

const WorkflowVersionDeleteInput = inputType('WorkflowVersionDeleteInput', 'A version to delete.', {
  workflowId: [ID, WORKFLOW],
  snapshotId: [String, SNAPSHOT],
});
type WorkflowVersionDeleteInput = InstanceType<typeof WorkflowVersionDeleteInput>;

const WorkflowDuplicateInput = inputType('WorkflowDuplicateInput', 'A workflow to copy.', {
  workflowId: [ID, WORKFLOW],
  title: [
    optional(String),
    'Title of the copy. Default: the title of the workflow followed by `(copy)`, and a number if that is taken.',
  ],
});
type WorkflowDuplicateInput = InstanceType<typeof WorkflowDuplicateInput>;

const WorkflowVersionPayload = payloadType(
  'WorkflowVersionPayload',
  'workflowVersion',
  WorkflowVersion,
  'The version that was changed or deleted.',
);

/** Mutations of versions, and their fields other than the steps. */
@Resolver(() => WorkflowVersion)
export class VersionChangesResolver {
  @Mutation(() => WorkflowPayload, {
    description:
      'Makes an earlier version of a workflow the current one. Creates no version; the version that was current is kept.',
  })
  @Needs(workflowPolicy.update)
  workflowVersionSwitch(
    @Arg('input') { workflowId, snapshotId, expectedVersion }: WorkflowVersionSwitchInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'workflow',
      async (ids) =>
        (
          await services.workflowVersions.switchTo(
            actor,
            ids.read('Workflow', workflowId, ['workflowId']),
            snapshotId,
            expectedVersion,
          )
        ).record,
      AT_WORKFLOW,
    );
  }

  @Mutation(() => WorkflowVersionPayload, {
    description: 'Changes the comment of a version.',
  })
  @Needs(workflowPolicy.update)
  workflowVersionUpdate(
    @Arg('input') { workflowId, snapshotId, comment = null }: WorkflowVersionUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'workflowVersion',
      async (ids) =>
        (
          await services.workflowVersions.comment(
            actor,
            ids.read('Workflow', workflowId, ['workflowId']),
            snapshotId,
            comment,
          )
        ).version,
      AT_WORKFLOW,
    );
  }

  @Mutation(() => WorkflowVersionPayload, {
    description: 'Deletes a version that is neither the current one nor executed by a run.',
  })
  @ServedOnFullDisk()
  @Needs(workflowPolicy.delete)
  workflowVersionDelete(
    @Arg('input') { workflowId, snapshotId }: WorkflowVersionDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'workflowVersion',
      (ids) =>
        services.workflowVersions.remove(
          actor,
          ids.read('Workflow', workflowId, ['workflowId']),
          snapshotId,
        ),
      AT_WORKFLOW,
    );
  }

  @Mutation(() => WorkflowPayload, {
    description:
      'Copies the current version of a workflow, with its masking rules and without its other versions and runs.',
  })
  @Needs(DUPLICATE_NEED)
  workflowDuplicate(
    @Arg('input') { workflowId, title }: WorkflowDuplicateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'workflow',
      async (ids) =>
        (
          await services.workflowDuplication.duplicate(
            actor,
            ids.read('Workflow', workflowId, ['workflowId']),
            title ?? null,
          )
        ).record,
      AT_WORKFLOW,
    );
  }

  @FieldResolver(() => Boolean, { description: 'True if it is the current version.' })
  async current(@Root() version: VersionRecord, @Ctx() context: GraphqlContext): Promise<boolean> {
    const workflow = await workflowLoader(context).load(version.workflowId);
    return workflow !== null && isCurrent(version, workflow);
  }

  @FieldResolver(() => [FieldBinding], { description: 'Its field bindings.' })
  async fieldBindings(
    @Root() version: VersionRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<FieldBindingView[]> {
    return presentBindings(await documentOf(version, context));
  }

  @FieldResolver(() => JSONValue, {
    nullable: true,
    description: 'The layout of the editor, as it was saved.',
  })
  async ui(@Root() version: VersionRecord, @Ctx() context: GraphqlContext): Promise<unknown> {
    return (await documentOf(version, context)).ui ?? null;
  }
}

/** These inputs call the id of the workflow `workflowId`. */
const AT_WORKFLOW = [[['id'], ['workflowId']]] as const;
