import { z } from 'zod';
import type { Services } from '../../platform/context';
import { Accepted, JobAccepted } from '../../platform/http/respond-async';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { AnswerId, keysOf, optionalWholeNumberIn } from '../../platform/http/scalars';
import { fold } from '../../platform/text/fold';
import { NameParams, NamesInput } from '../invokers/invoker.schema';
import {
  CONFLICT_REASONS,
  itemId,
  ONLINE_ACTIONS,
  ONLINE_KINDS,
  SYNCHRONISATION_STATES,
} from './online-service';
import type { SynchronisationRecord } from './online-service.model';
import { onlinePolicy } from './online-service.policy';
import type { OnlineSource } from './synchronisation.service';

const MAX_LISTED = 200;
const DEFAULT_LISTED = 50;
const route = routesTagged('Online services');

const time = z.string().meta({ format: 'date-time' });
const Kind = z.enum(keysOf(ONLINE_KINDS));

const Counts = z
  .object({
    added: z.int(),
    updated: z.int(),
    linked: z.int(),
    unchanged: z.int(),
    kept: z.int(),
    conflicts: z.int(),
    gone: z.int(),
    failed: z.int(),
  })
  .meta({ id: 'SynchronisationCounts', description: 'Number of items.' });

export const presentCounts = ({
  counts,
}: Pick<SynchronisationRecord, 'counts'>): z.output<typeof Counts> => ({
  added: counts.ADDED,
  updated: counts.UPDATED,
  linked: counts.LINKED,
  unchanged: counts.UNCHANGED,
  kept: counts.KEPT,
  conflicts: counts.CONFLICT,
  gone: counts.GONE,
  failed: counts.FAILED,
});

const SynchronisationBody = z
  .object({
    synchronisationId: AnswerId,
    kind: Kind,
    dryRun: z.boolean(),
    startedBy: z.string().nullable().meta({ description: 'Null if it was due.' }),
    state: z.enum(keysOf(SYNCHRONISATION_STATES)),
    message: z.string().nullable(),
    counts: Counts,
    items: z.array(
      z.object({
        name: z.string(),
        action: z.enum(keysOf(ONLINE_ACTIONS)),
        message: z.string().nullable(),
      }),
    ),
    startedAt: time,
    finishedAt: time.nullable(),
  })
  .meta({
    id: 'Synchronisation',
    description: 'A comparison of local records with those of the portal.',
  });

export const presentSynchronisation = (
  record: SynchronisationRecord,
): z.output<typeof SynchronisationBody> => ({
  synchronisationId: record._id,
  kind: record.kind,
  dryRun: record.isDryRun,
  startedBy: record.startedBy,
  state: record.state,
  message: record.message,
  counts: presentCounts(record),
  items: record.items.map(({ name, action, message }) => ({ name, action, message })),
  startedAt: record.startedAt.toISOString(),
  finishedAt: record.finishedAt?.toISOString() ?? null,
});

const Synchronised = z.object({ active: z.boolean() });
const StateBody = z
  .object({ active: z.boolean(), invoker_sync: Synchronised, template_sync: Synchronised })
  .meta({ id: 'SynchronisationState' });

const StartInput = z
  .object({
    kind: Kind,
    dryRun: z.boolean().default(false).meta({ description: 'Only list what would be done.' }),
  })
  .meta({ id: 'SynchronisationStart' });

const ServicesBody = z
  .object({
    active: z.boolean(),
    url: z.string().nullable(),
    kinds: z.array(
      z.object({
        kind: Kind,
        active: z.boolean().meta({ description: 'Whether it is synchronised by itself.' }),
        time: z.string().meta({ description: 'Cron expression.' }),
        nextAt: time.nullable(),
        last: SynchronisationBody.nullable(),
        conflicts: z.array(
          z.object({
            itemId: z.string(),
            name: z.string(),
            reason: z.enum(keysOf(CONFLICT_REASONS)),
            since: time,
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'OnlineServices', description: 'The portal, and what is taken from it.' });

const ItemInput = z
  .object({
    itemId: z.string().meta({
      description: 'Of a conflict, or `INVOKER/name` or `TEMPLATE/uuid` in lower case.',
    }),
  })
  .meta({ id: 'OnlineItemInput' });

const NOT_TAKEN = ['ONLINE_SERVICES_OFF', 'ONLINE_ITEM_NOT_FOUND', 'PORTAL_FAILED'] as const;

type OnlineServices = Pick<Services, 'onlineItems' | 'synchronisations' | 'synchronisationHistory'>;

async function presentSource(
  { onlineItems, synchronisationHistory }: OnlineServices,
  { kind, isActive, cron, nextAt }: OnlineSource,
): Promise<z.output<typeof ServicesBody>['kinds'][number]> {
  const [last] = await synchronisationHistory.newest(1, kind);
  const items = await onlineItems.conflicts(kind);
  return {
    kind,
    active: isActive,
    time: cron,
    nextAt: nextAt?.toISOString() ?? null,
    last: last ? presentSynchronisation(last) : null,
    conflicts: items.flatMap(({ _id: itemId, name, conflict }) =>
      conflict
        ? [{ itemId, name, reason: conflict.reason, since: conflict.since.toISOString() }]
        : [],
    ),
  };
}

/** What the released clients read of the online services. */
const statusRoute = ({ synchronisations }: OnlineServices): Route =>
  route('GET /sync-history/status', {
    needs: onlinePolicy.status,
    summary: 'Whether invokers and templates come from an online service',
    description: 'For released clients.',
    answer: StateBody,
    handle: () =>
      Promise.resolve({
        active: synchronisations.isOn,
        invoker_sync: { active: synchronisations.isActive('INVOKER') },
        template_sync: { active: synchronisations.isActive('TEMPLATE') },
      }),
  });

const readRoutes = (services: OnlineServices): Route[] => [
  route('GET /online-services', {
    needs: onlinePolicy.read,
    summary: 'The portal, the newest synchronisations, and what waits for a decision',
    answer: ServicesBody,
    handle: async () => ({
      active: services.synchronisations.isOn,
      url: services.synchronisations.address,
      kinds: await Promise.all(
        services.synchronisations.sources().map((source) => presentSource(services, source)),
      ),
    }),
  }),
  route('GET /sync-history', {
    needs: onlinePolicy.read,
    summary: 'List synchronisations, newest first',
    query: z.object({ limit: optionalWholeNumberIn(1, MAX_LISTED, DEFAULT_LISTED) }),
    answer: z.array(SynchronisationBody),
    handle: async ({ query }) =>
      (await services.synchronisationHistory.newest(query.limit)).map(presentSynchronisation),
  }),
];

const changeRoutes = ({ synchronisations, onlineItems }: OnlineServices): Route[] => [
  route('POST /online-services/synchronisations', {
    needs: onlinePolicy.change,
    summary: 'Synchronises with the portal in the background',
    body: StartInput,
    example: { body: { kind: 'INVOKER', dryRun: true } },
    success: 202,
    answer: JobAccepted,
    errors: ['ONLINE_SERVICES_OFF', 'SYNCHRONISATION_RUNNING'],
    handle: async ({ actor, body: { kind, dryRun }, origin }) => {
      const job = await synchronisations.startJob(actor, kind, dryRun, presentSynchronisation);
      return new Accepted(job._id, origin.baseUrl);
    },
  }),
  route('POST /online-services/items/take', {
    needs: onlinePolicy.change,
    summary: 'Replaces or adds a local record by the newest version of the portal',
    body: ItemInput,
    example: { body: { itemId: 'INVOKER/example' } },
    success: 204,
    errors: NOT_TAKEN,
    handle: async ({ actor, body }) => void (await synchronisations.take(actor, body.itemId)),
  }),
  route('POST /online-services/items/keep', {
    needs: onlinePolicy.change,
    summary: 'Keeps a local record: this version of the portal is not listed again',
    body: ItemInput,
    example: { body: { itemId: 'INVOKER/example' } },
    success: 204,
    errors: ['ONLINE_ITEM_NOT_FOUND'],
    handle: async ({ actor, body }) => void (await onlineItems.keep(actor, body.itemId)),
  }),
];

/** Routes of released clients that replace invokers by the versions of the portal. */
function forceRoutes({ synchronisations }: OnlineServices): Route[] {
  const force = {
    needs: onlinePolicy.change,
    success: 204,
    errors: NOT_TAKEN,
  } as const;
  return [
    route('PUT /invoker/:name/sync-force', {
      ...force,
      summary: 'Replaces an invoker by the newest version of the portal',
      description: 'Local changes are lost. A deleted invoker is added.',
      params: NameParams,
      example: { params: { name: 'Example' } },
      handle: async ({ actor, params }) =>
        void (await synchronisations.take(actor, itemId('INVOKER', fold(params.name)))),
    }),
    route('PUT /invoker/list/sync-force', {
      ...force,
      summary: 'Replaces invokers by the newest versions of the portal',
      description: 'Local changes are lost. One after the other, until one cannot be replaced.',
      body: NamesInput,
      example: { body: { identifiers: [] } },
      handle: async ({ actor, body }) => {
        for (const name of new Set(body.identifiers))
          await synchronisations.take(actor, itemId('INVOKER', fold(name)));
      },
    }),
  ];
}

/** Routes of the online services. */
export const onlineServiceRoutes = (services: OnlineServices): Route[] => [
  statusRoute(services),
  ...readRoutes(services),
  ...changeRoutes(services),
  ...forceRoutes(services),
];
