import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { payload } from '../../platform/graphql/schema/payload';
import { toPageQuery } from '../../platform/graphql/schema/record-types';
import type { Page } from '../../platform/store/lists/keyset';
import { JobPayload } from '../jobs/job.types';
import type { SynchronisationRecord } from './online-service.model';
import { onlinePolicy } from './online-service.policy';
import { presentCounts, presentSynchronisation } from './online-service.rest';
import {
  OnlineConflict,
  OnlineItemInput,
  OnlineItemPayload,
  OnlineServices,
  OnlineSource,
  SynchronisationConnection,
  SynchronisationCounts,
  SynchronisationsArgs,
  SynchronisationStartInput,
  SynchronisationType,
} from './online-service.types';

const FIELDS = { kind: 'kind' };
const ORDER = { DATABASE_ID: '_id' } as const;

@Resolver()
export class OnlineServicesResolver {
  @Query(() => OnlineServices, { description: 'The portal, and what is taken from it.' })
  @Needs(onlinePolicy.read)
  onlineServices(@Ctx() { services: { synchronisations } }: GraphqlContext): OnlineServices {
    return {
      isActive: synchronisations.isOn,
      address: synchronisations.address,
      missingSettings: synchronisations.missingKeys,
      sources: synchronisations.sources(),
    };
  }

  @Query(() => SynchronisationConnection, { description: 'A page of synchronisations.' })
  @Needs(onlinePolicy.read)
  synchronisations(
    @Args(() => SynchronisationsArgs) args: InstanceType<typeof SynchronisationsArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<SynchronisationRecord>> {
    return services.synchronisationHistory.page(
      toPageQuery(args, FIELDS, ORDER, { field: '_id', direction: 'desc' }),
    );
  }

  @Mutation(() => JobPayload, {
    description:
      'Synchronises with the portal in the background. The result of the job is the synchronisation as in REST.',
  })
  @Needs(onlinePolicy.change)
  synchronisationStart(
    @Arg('input', () => SynchronisationStartInput, { description: 'What to synchronise.' })
    { kind, isDryRun }: SynchronisationStartInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('job', () =>
      services.synchronisations.startJob(actor, kind, isDryRun, presentSynchronisation),
    );
  }

  @Mutation(() => OnlineItemPayload, {
    description:
      'Replaces or adds the local record by the newest known version of the portal, also if it does not wait for a decision.',
  })
  @Needs(onlinePolicy.change)
  onlineItemTake(
    @Arg('input', () => OnlineItemInput, { description: 'The conflict.' })
    { itemId }: OnlineItemInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('item', () => services.synchronisations.take(actor, itemId));
  }

  @Mutation(() => OnlineItemPayload, {
    description: 'Keeps the local record. This version of the portal is not listed again.',
  })
  @Needs(onlinePolicy.change)
  onlineItemKeep(
    @Arg('input', () => OnlineItemInput, { description: 'The conflict.' })
    { itemId }: OnlineItemInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('item', () => services.onlineItems.keep(actor, itemId));
  }
}

@Resolver(() => OnlineSource)
export class OnlineSourceResolver {
  @FieldResolver(() => SynchronisationType, {
    nullable: true,
    description: 'The newest synchronisation, also a running one; null: none yet.',
  })
  async last(
    @Root() { kind }: OnlineSource,
    @Ctx() { services }: GraphqlContext,
  ): Promise<SynchronisationRecord | null> {
    return (await services.synchronisationHistory.newest(1, kind))[0] ?? null;
  }

  @FieldResolver(() => [OnlineConflict], {
    description: 'Versions of the portal that wait for a decision, oldest first; at most 1,000.',
  })
  async conflicts(
    @Root() { kind }: OnlineSource,
    @Ctx() { services }: GraphqlContext,
  ): Promise<OnlineConflict[]> {
    const items = await services.onlineItems.conflicts(kind);
    return items.flatMap(({ _id: itemId, name, conflict }) =>
      conflict ? [{ itemId, name, reason: conflict.reason, since: conflict.since }] : [],
    );
  }
}

@Resolver(() => SynchronisationType)
export class SynchronisationResolver {
  @FieldResolver(() => SynchronisationCounts, { description: 'Number of items.' })
  counts(@Root() record: SynchronisationRecord): SynchronisationCounts {
    return presentCounts(record);
  }
}

registerNode(
  'Synchronisation',
  (id, context) =>
    context
      .loader<number, SynchronisationRecord>('synchronisations', (ids) =>
        context.services.synchronisationHistory.byIds(ids),
      )
      .load(id),
  onlinePolicy.read,
);
