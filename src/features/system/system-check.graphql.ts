import {
  Ctx,
  Field,
  Int,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  FieldResolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/schema/needs';
import { DateTime } from '../../platform/graphql/schema/scalars';
import type { ComponentStatus, SystemComponent } from './component-check';
import { visibleTo } from './system-check.service';
import type { SystemHealth } from './system-check.service';
import { systemPolicy } from './system.policy';

export const SystemStatus = {
  UP: 'UP',
  DOWN: 'DOWN',
  UNKNOWN: 'UNKNOWN',
} as const satisfies { [S in ComponentStatus]: S };
registerEnumType(SystemStatus, {
  name: 'SystemStatus',
  description: 'The state of the service or of one of its components.',
  valuesConfig: {
    UP: { description: 'It works.' },
    DOWN: { description: 'It does not work.' },
    UNKNOWN: { description: 'It is not in use.' },
  },
});

@ObjectType({ description: 'A fact about a component.' })
class SystemDetail {
  @Field(() => String, { description: 'Name, such as `version` or `location`.' })
  readonly name!: string;

  @Field(() => String, { description: 'Value as text.' })
  readonly value!: string;
}

@ObjectType('SystemComponent', {
  description: 'A part of the service, or a system that it depends on.',
})
class SystemComponentType {
  @Field(() => String, { description: 'Name in `/actuator/health/{component}`.' })
  readonly name!: string;

  @Field(() => String, { description: 'Name for users.' })
  readonly title!: string;

  @Field(() => SystemStatus, { description: 'Its state.' })
  readonly status!: ComponentStatus;

  @Field(() => Boolean, {
    description: 'False if it is not configured; then it does not affect the state of the service.',
  })
  readonly isUsed!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Why it is down. Null if it is not, and for users who are no administrators.',
  })
  readonly error!: string | null;

  @Field(() => DateTime, { description: 'When it was checked.' })
  readonly checkedAt!: Date;

  @Field(() => Int, { description: 'Duration of the check, ms.' })
  readonly durationMs!: number;
}

@ObjectType({ description: 'The state of the service and of the systems that it depends on.' })
class SystemCheck {
  @Field(() => SystemStatus, { description: '`DOWN` if a component in use is down, else `UP`.' })
  readonly status!: ComponentStatus;

  @Field(() => [SystemComponentType], { description: 'The checked components.' })
  readonly components!: readonly SystemComponent[];
}

@Resolver(() => SystemComponentType)
export class SystemComponentResolver {
  @FieldResolver(() => [SystemDetail], {
    description: 'What the check found. Empty for users who are no administrators.',
  })
  details(@Root() { details }: SystemComponent): SystemDetail[] {
    return Object.entries(details).map(([name, value]) => ({ name, value: String(value) }));
  }
}

@Resolver()
export class SystemCheckResolver {
  @Query(() => SystemCheck, {
    description:
      'Checks the service and the systems that it depends on. Results are up to five seconds old.',
  })
  @Needs(systemPolicy.read)
  systemCheck(@Ctx() { actor, services }: GraphqlContext): Promise<SystemHealth> {
    return services.systemCheck.read(actor);
  }

  @Subscription(() => SystemCheck, {
    name: 'systemCheck',
    description: 'The system check: its result at once, then every ten seconds.',
    subscribe: ({ context }: { context: GraphqlContext }) =>
      context.services.systemCheck.follow(context.signal),
  })
  @Needs(systemPolicy.read)
  watchSystemCheck(@Root() health: SystemHealth, @Ctx() { actor }: GraphqlContext): SystemHealth {
    return visibleTo(actor, health);
  }
}
