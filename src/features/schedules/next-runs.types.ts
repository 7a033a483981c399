import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { UserError } from '../../platform/graphql/schema/payload';
import { DateTime, TimeZoneName } from '../../platform/graphql/schema/scalars';
import { MAX_NEXT_RUNS } from './next-runs';

@ArgsType()
export class NextRunsArgs {
  @Field(() => String, { description: 'The expression, in the syntax of `Schedule.cron`.' })
  readonly cron!: string;

  @Field(() => TimeZoneName, {
    nullable: true,
    description: 'Its time zone. Default: as for a new schedule.',
  })
  readonly timeZone?: string | null;

  @Field(() => Int, {
    defaultValue: 5,
    description: `Number of times, 1 to ${MAX_NEXT_RUNS}.`,
  })
  readonly count!: number;
}

@ObjectType({ description: 'When a cron expression is due.' })
export class ScheduleNextRuns {
  @Field(() => [DateTime], {
    description: 'The next due times, earliest first; fewer if there are no more.',
  })
  readonly times!: Date[];

  @Field(() => String, {
    description: 'The expression in English: "At 08:00 on weekdays". Empty if there is a problem.',
  })
  readonly words!: string;

  @Field(() => UserError, {
    nullable: true,
    description:
      'Why a schedule with it cannot be saved: CRON_INVALID, CRON_NEVER_DUE, TIME_ZONE_INVALID.',
  })
  readonly problem!: UserError | null;
}
