import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { databaseId } from '../../platform/graphql/schema/ids';
import { toPageQuery } from '../../platform/graphql/schema/record-types';
import { listPayload, payload } from '../../platform/graphql/schema/payload';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { DateTime } from '../../platform/graphql/schema/scalars';
import { viewerCan } from '../../platform/graphql/schema/viewer-can';
import type { Page } from '../../platform/store/lists/keyset';
import { RunPayload } from '../runs/run.types';
import { scheduleLoader } from './schedule.loader';
import type { ScheduleRecord } from './schedule.model';
import { NextRunsArgs, ScheduleNextRuns } from './next-runs.types';
import { schedulePolicy } from './schedule.policy';
import type { NextRuns } from './next-runs';
import {
  ScheduleCreateInput,
  ScheduleDeleteInput,
  ScheduleEnableInput,
  ScheduleIdInput,
  ScheduleIdsInput,
  SchedulesArgs,
  SchedulesEnableInput,
  ScheduleUpdateInput,
  oneSchedulePolicy,
  Schedule,
  ScheduleConnection,
  SchedulePayload,
  SchedulesPayload,
  SchedulesStartPayload,
  ScheduleViewerCan,
} from './schedule.types';

export const SCHEDULE_FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Schedule') },
  title: { folded: 'titleKey' },
  workflow: { path: 'workflowId', read: (id: unknown) => databaseId(String(id), 'Workflow') },
  enabled: 'enabled',
  nextFire: 'nextFireAt',
};
const ORDER = { ID: '_id', TITLE: 'titleKey', NEXT_FIRE: 'nextFireAt' } as const;
const BY_TITLE = { field: 'titleKey', direction: 'asc' } as const;

@Resolver(() => Schedule)
export class ScheduleResolver {
  @Query(() => ScheduleConnection, {
    description: 'Schedules, a page at a time, without those of tests.',
  })
  @Needs(schedulePolicy.read)
  schedules(
    @Args(() => SchedulesArgs) args: InstanceType<typeof SchedulesArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<ScheduleRecord>> {
    return services.scheduleRecords.page(toPageQuery(args, SCHEDULE_FIELDS, ORDER, BY_TITLE));
  }

  @Query(() => Schedule, {
    nullable: true,
    description: 'One schedule, or null if it does not exist.',
  })
  @Needs(schedulePolicy.read)
  schedule(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() context: GraphqlContext,
  ): Promise<ScheduleRecord | null> {
    return scheduleLoader(context).load(databaseId(id, 'Schedule'));
  }

  @Query(() => ScheduleNextRuns, {
    description: 'When a cron expression is due next, by the rules of saved schedules.',
  })
  @Needs(schedulePolicy.read)
  scheduleNextRuns(
    @Args() { cron, timeZone, count }: NextRunsArgs,
    @Ctx() { services }: GraphqlContext,
  ): NextRuns {
    return services.schedules.nextRuns(cron, timeZone ?? null, count);
  }

  @FieldResolver(() => [DateTime], {
    description: 'The next due times, at most five; none if it is disabled.',
  })
  nextFireTimes(
    @Root() schedule: ScheduleRecord,
    @Ctx() { services }: GraphqlContext,
  ): readonly Date[] {
    return services.scheduleRecords.nextFiresOf(schedule);
  }

  @FieldResolver(() => ScheduleViewerCan, {
    description: 'Permissions of the signed-in user for it.',
  })
  viewerCan(@Ctx() { actor }: GraphqlContext): InstanceType<typeof ScheduleViewerCan> {
    return viewerCan(oneSchedulePolicy, actor);
  }

  @Mutation(() => SchedulePayload, { description: 'Creates a schedule.' })
  @Needs(schedulePolicy.create)
  scheduleCreate(
    @Arg('input') input: ScheduleCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    const { title, cron, timeZone, enabled, logging, missedFires, overlapPolicy } = input;
    return payload('schedule', (ids) =>
      services.schedules.create(actor, {
        title,
        workflowId: ids.read('Workflow', input.workflowId, ['workflowId']),
        cron: cron ?? undefined,
        timeZone: timeZone ?? undefined,
        enabled,
        logging,
        missedFires,
        overlapPolicy,
      }),
    );
  }

  @Mutation(() => SchedulePayload, {
    description: 'Changes a schedule. If its timing changes, it is due from now on.',
  })
  @Needs(schedulePolicy.update)
  scheduleUpdate(
    @Arg('input') input: ScheduleUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    const { title, workflowId, cron, timeZone, enabled, logging, missedFires, overlapPolicy } =
      input;
    return payload('schedule', (ids) =>
      services.schedules.update(
        actor,
        ids.read('Schedule', input.id),
        {
          title: title ?? undefined,
          workflowId:
            workflowId == null ? undefined : ids.read('Workflow', workflowId, ['workflowId']),
          cron: cron ?? undefined,
          timeZone: timeZone ?? undefined,
          enabled: enabled ?? undefined,
          logging: logging ?? undefined,
          missedFires: missedFires ?? undefined,
          overlapPolicy: overlapPolicy ?? undefined,
        },
        input.expectedVersion,
      ),
    );
  }

  @Mutation(() => SchedulePayload, {
    description: 'Enables or disables a schedule. A disabled one does not fire by itself.',
  })
  @Needs(schedulePolicy.update)
  scheduleEnable(
    @Arg('input') { id, enabled, expectedVersion }: ScheduleEnableInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('schedule', (ids) =>
      services.schedules.update(actor, ids.read('Schedule', id), { enabled }, expectedVersion),
    );
  }

  @Mutation(() => SchedulesPayload, {
    description:
      'Enables or disables schedules, all or none. Those already in that state stay unchanged.',
  })
  @Needs(schedulePolicy.update)
  schedulesEnable(
    @Arg('input') input: SchedulesEnableInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return listPayload('schedules', 'Schedule', (ids) =>
      services.schedules.enableAll(actor, ids.readAll('Schedule', input.ids), input.enabled),
    );
  }

  @Mutation(() => SchedulePayload, {
    description: 'Deletes a schedule. Runs that it started continue.',
  })
  @ServedOnFullDisk()
  @Needs(schedulePolicy.delete)
  scheduleDelete(
    @Arg('input') { id, expectedVersion }: ScheduleDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('schedule', (ids) =>
      services.schedules.remove(actor, ids.read('Schedule', id), expectedVersion),
    );
  }

  @Mutation(() => SchedulesPayload, {
    description: 'Deletes schedules, all or none. Runs that they started continue.',
  })
  @ServedOnFullDisk()
  @Needs(schedulePolicy.delete)
  schedulesDelete(
    @Arg('input') input: ScheduleIdsInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return listPayload('schedules', 'Schedule', (ids) =>
      services.schedules.removeAll(actor, ids.readAll('Schedule', input.ids)),
    );
  }

  @Mutation(() => RunPayload, {
    description:
      'Starts a schedule now, even if it is disabled. Returns as soon as its run is queued.',
  })
  @Needs(schedulePolicy.start)
  scheduleStart(@Arg('input') { id }: ScheduleIdInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload('run', (ids) =>
      services.scheduleRuns.fire(ids.read('Schedule', id), { trigger: 'MANUAL', actor }),
    );
  }

  @Mutation(() => SchedulesStartPayload, {
    description:
      'Starts schedules now, all or none, even disabled ones. Returns as soon as their runs are queued.',
  })
  @Needs(schedulePolicy.start)
  schedulesStart(
    @Arg('input') input: ScheduleIdsInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return listPayload('runs', 'Run', (ids) =>
      services.scheduleRuns.fireAll(actor, ids.readAll('Schedule', input.ids)),
    );
  }

  @Mutation(() => SchedulePayload, {
    description: 'Cancels all queued and running runs of a schedule. Succeeds if there are none.',
  })
  @Needs(schedulePolicy.terminate)
  scheduleTerminate(
    @Arg('input') { id }: ScheduleIdInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('schedule', (ids) =>
      services.scheduleRuns.cancel(actor, ids.read('Schedule', id)),
    );
  }
}

registerNode('Schedule', (id, context) => scheduleLoader(context).load(id), schedulePolicy.read);
