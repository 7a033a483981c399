import { Ctx, Field, Int, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/schema/needs';
import { DateTime } from '../../platform/graphql/schema/scalars';
import type { Role } from '../../config/roles';
import type { ProcessState } from '../../platform/store/startup/process-records';
import type { ServiceProcess } from './process.service';
import { systemPolicy } from './system.policy';

const ProcessStates = {
  ALIVE: 'alive',
  LATE: 'late',
  DEAD: 'dead',
} as const satisfies { [S in Uppercase<ProcessState>]: Lowercase<S> };
registerEnumType(ProcessStates, {
  name: 'ProcessState',
  description: 'Whether a process gives signs of life, which it does every five seconds.',
  valuesConfig: {
    ALIVE: { description: 'It does.' },
    LATE: { description: 'It missed two.' },
    DEAD: { description: 'It ended without stopping, or is silent for 30 seconds.' },
  },
});

const ProcessRoles = {
  API: 'api',
  WORKER: 'worker',
  SCHEDULER: 'scheduler',
} as const satisfies { [R in Uppercase<Role>]: Lowercase<R> };
registerEnumType(ProcessRoles, {
  name: 'ProcessRole',
  description: 'What a process does.',
  valuesConfig: {
    API: { description: 'Serves clients.' },
    WORKER: { description: 'Executes runs.' },
    SCHEDULER: { description: 'Starts the runs of schedules.' },
  },
});

@ObjectType({ description: 'A process of the service at the store.' })
class Process {
  @Field(() => String, { name: 'name', description: 'Its unique name.' })
  readonly _id!: string;

  @Field(() => [ProcessRoles], { description: 'What it does.' })
  readonly roles!: readonly Role[];

  @Field(() => String, { description: 'Version of the service.' })
  readonly version!: string;

  @Field(() => Int, { description: 'The highest number of its migrations.' })
  readonly layout!: number;

  @Field(() => String, { description: 'Name of its machine.' })
  readonly host!: string;

  @Field(() => Int, { description: 'Process id.' })
  readonly pid!: number;

  @Field(() => DateTime, { description: 'When it started.' })
  readonly since!: Date;

  @Field(() => DateTime, { description: 'Its last sign of life.' })
  readonly beatAt!: Date;

  @Field(() => Int, {
    description: 'Age of what it knew of the changes of others at its last sign of life, ms.',
  })
  readonly lagMs!: number;

  @Field(() => ProcessStates, { description: 'Whether it gives signs of life.' })
  readonly state!: ProcessState;

  @Field(() => Int, { description: 'Number of runs that it executes.' })
  readonly runs!: number;
}

@Resolver()
export class ProcessResolver {
  @Query(() => [Process], {
    description:
      'The processes that share the store, the oldest first. Dead ones are listed for a day.',
  })
  @Needs(systemPolicy.readProcesses)
  processes(@Ctx() { services }: GraphqlContext): Promise<ServiceProcess[]> {
    return services.processList.list();
  }
}
