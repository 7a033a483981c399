import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { ConnectionArgs, nestedPage } from '../../platform/graphql/connection';
import { Needs } from '../../platform/graphql/needs';
import type { Page } from '../../platform/store/page';
import { runLoader } from '../runs/run.loader';
import type { RunRecord } from '../runs/run.model';
import { Run } from '../runs/run.types';
import { linkedWorkflow } from '../workflows/workflow.loader';
import type { WorkflowRecord } from '../workflows/workflow.model';
import { Workflow } from '../workflows/workflow.types';
import { linkedSchedule } from './schedule.loader';
import type { ScheduleRecord } from './schedule.model';
import { schedulePolicy } from './schedule.policy';
import { Schedule, ScheduleConnection } from './schedule.types';

@Resolver(() => Schedule)
export class LinksOfScheduleResolver {
  @FieldResolver(() => Workflow, {
    nullable: true,
    description: 'The workflow that it runs; null when it is not for the signed-in user to read.',
  })
  workflow(
    @Root() { workflowId }: ScheduleRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<WorkflowRecord | null> {
    return linkedWorkflow(context, workflowId);
  }

  @FieldResolver(() => Run, {
    nullable: true,
    description:
      'Its newest run, whoever started that; null when there is none, when it is kept no more, and when it is not for the signed-in user to read.',
  })
  async lastRun(
    @Root() { lastRunId }: ScheduleRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> {
    return lastRunId === null ? null : runLoader(context).load(lastRunId);
  }
}

@Resolver(() => Workflow)
export class SchedulesOfWorkflowResolver {
  @FieldResolver(() => ScheduleConnection, {
    nullable: true,
    description:
      'Its schedules, by title; null, with the error FORBIDDEN, for who may not read schedules.',
  })
  @Needs(schedulePolicy.read)
  schedules(
    @Root() { _id }: WorkflowRecord,
    @Args() page: ConnectionArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<ScheduleRecord>> {
    return nestedPage(context, 'schedulesOfWorkflows', _id, page, (ids) =>
      context.services.schedules.pagesOfWorkflows(ids, {
        ...page,
        orderBy: [{ field: 'titleKey', direction: 'asc' }],
      }),
    );
  }
}

@Resolver(() => Run)
export class ScheduleOfRunResolver {
  @FieldResolver(() => Schedule, {
    nullable: true,
    description:
      'The schedule that it was started by; null when it was not by one, when that is deleted, and when it is not for the signed-in user to read.',
  })
  schedule(
    @Root() { scheduleId }: RunRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<ScheduleRecord | null> {
    return linkedSchedule(context, scheduleId);
  }
}
