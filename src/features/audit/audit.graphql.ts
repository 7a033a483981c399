import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  ID,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { ConnectionArgs } from '../../platform/graphql/schema/connection';
import { databaseId } from '../../platform/graphql/schema/ids';
import { Needs } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { events } from '../../platform/graphql/subscriptions/event-queue';
import { toQuery } from '../../platform/store/lists/filter';
import type { Page } from '../../platform/store/lists/keyset';
import type { AuditRecord } from './audit.model';
import { AUDIT_TOPIC } from './audit.service';
import { AuditEventConnection, AuditEventFilter, AuditEventType } from './audit.types';

@ArgsType()
class AuditEventsArgs extends ConnectionArgs {
  @Field(() => AuditEventFilter, { nullable: true, description: 'Filter. Default: all changes.' })
  readonly filter?: AuditEventFilter;
}

const FIELDS = {
  at: 'at',
  actorId: { path: 'actor.userId', read: (id: unknown) => databaseId(String(id), 'User') },
  actorEmail: 'actor.email',
  action: 'action',
  targetType: 'target.type',
  targetId: 'target.id',
  requestId: 'requestId',
};

@Resolver()
export class AuditResolver {
  @Query(() => AuditEventConnection, { description: 'Recorded changes, newest first.' })
  @Needs('admin')
  auditEvents(
    @Args() { filter, ...page }: AuditEventsArgs,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<AuditRecord>> {
    return services.audit.page(toQuery(filter, FIELDS), page);
  }

  @Query(() => AuditEventType, { nullable: true, description: 'One recorded change.' })
  @Needs('admin')
  auditEvent(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<AuditRecord | null> {
    return services.audit.byId(databaseId(id, 'AuditEvent'));
  }

  @Subscription(() => AuditEventType, {
    description: 'Changes as they are recorded. Read earlier ones with the query `auditEvents`.',
    subscribe: events<AuditRecord>(AUDIT_TOPIC),
    name: 'auditEvents',
  })
  @Needs('admin')
  watchAuditEvents(@Root() event: AuditRecord): AuditRecord {
    return event;
  }
}

registerNode(
  'AuditEvent',
  (id, context) =>
    context
      .loader<number, AuditRecord>('auditEvents', (ids) => context.services.audit.byIds(ids))
      .load(id),
  'admin',
);
