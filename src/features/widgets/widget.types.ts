import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../platform/graphql/scalars';
import type { DayOfWeek as DayOfWeekName } from './calendar';
import type { DashboardSnapshot } from './dashboard-feed';
import type {
  RunningRun as RunningRunRecord,
  TimelinePoint as PointRecord,
  TopWorkflow as TopRecord,
} from './widget.service';

export const DayOfWeek = {
  MONDAY: 'MONDAY',
  TUESDAY: 'TUESDAY',
  WEDNESDAY: 'WEDNESDAY',
  THURSDAY: 'THURSDAY',
  FRIDAY: 'FRIDAY',
  SATURDAY: 'SATURDAY',
  SUNDAY: 'SUNDAY',
} as const satisfies { [D in DayOfWeekName]: D };
registerEnumType(DayOfWeek, {
  name: 'DayOfWeek',
  description: 'A day of the week.',
  valuesConfig: Object.fromEntries(
    Object.keys(DayOfWeek).map((day) => [
      day,
      { description: `${day[0]}${day.slice(1).toLowerCase()}.` },
    ]),
  ),
});

@ObjectType({ description: 'What was executed on one day.' })
export class TimelinePoint implements PointRecord {
  @Field(() => String, { description: 'The day, `2026-05-04`, in the time zone of the service.' })
  readonly date!: string;

  @Field(() => DayOfWeek, { description: 'Its day of the week.' })
  readonly dayOfWeek!: DayOfWeekName;

  @Field(() => Int, {
    description: 'Runs that started on this day and have ended; test runs apart.',
  })
  readonly executions!: number;

  @Field(() => Int, { description: 'Those of them that failed or were interrupted.' })
  readonly failures!: number;
}

@ObjectType({ description: 'A workflow with its executions of all time.' })
export class TopWorkflow implements TopRecord {
  @Field(() => Int, { description: 'Integer id of the workflow.' })
  readonly connectionId!: number;

  @Field(() => String, { description: 'Its title.' })
  readonly title!: string;

  @Field(() => Int, { description: 'Runs that have ended; test runs apart.' })
  readonly executions!: number;

  @Field(() => Float, { description: 'Percent of them that failed or were interrupted.' })
  readonly failureRate!: number;
}

@ObjectType({ description: 'A run that goes on now.' })
export class RunningRun implements RunningRunRecord {
  @Field(() => Int, { description: 'Integer id of the run.' })
  readonly runId!: number;

  @Field(() => Int, { description: 'Integer id of its workflow.' })
  readonly connectionId!: number;

  @Field(() => String, { description: 'Title of its workflow when it was queued.' })
  readonly title!: string;

  @Field(() => DateTime, { description: 'When it began.' })
  readonly startedAt!: Date;
}

@ObjectType({ description: 'What a dashboard shows.' })
export class Dashboard implements DashboardSnapshot {
  @Field(() => [TimelinePoint], { description: 'Executions per day, the oldest first.' })
  readonly timeline!: readonly TimelinePoint[];

  @Field(() => [TopWorkflow], { description: 'The busiest workflows.' })
  readonly topWorkflows!: readonly TopWorkflow[];

  @Field(() => [RunningRun], {
    description: 'Runs that go on now, the oldest first, 100 at most; test runs apart.',
  })
  readonly runningNow!: readonly RunningRun[];
}
