import { z } from 'zod';
import type { Services } from '../../platform/context';
import { Accepted, JobAccepted } from '../../platform/http/respond-async';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { AnswerId, keysOf, optionalWholeNumberIn } from '../../platform/http/scalars';
import { fold } from '../../platform/text/fold';
import { NameParams, NamesInput } from '../invokers/invoker.schema';
import {
  ACTIONS,
  itemId,
  ONLINE_ACTIONS,
  ONLINE_KINDS,
  SYNCHRONISATION_STATES,
} from './online-service';
import type { SynchronisationRecord } from './online-service.model';
import { onlinePolicy } from './online-service.policy';

const MAX_LISTED = 200;
const route = routesTagged('Online services');

const time = z.string().meta({ format: 'date-time' });
const Kind = z.enum(keysOf(ONLINE_KINDS));

const SynchronisationBody = z
  .object({
    synchronisationId: AnswerId,
    kind: Kind,
    dryRun: z.boolean(),
    startedBy: z.string().nullable().meta({ description: 'Null if it was due.' }),
    state: z.enum(keysOf(SYNCHRONISATION_STATES)),
    message: z.string().nullable(),
    counts: z.object({
      ADDED: z.int(),
      UPDATED: z.int(),
      LINKED: z.int(),
      UNCHANGED: z.int(),
      KEPT: z.int(),
      CONFLICT: z.int(),
      GONE: z.int(),
      FAILED: z.int(),
    }),
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
  counts: Object.fromEntries(
    ACTIONS.map((action) => [action, record.counts[action]]),
  ) as SynchronisationRecord['counts'],
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

const NOT_TAKEN = ['ONLINE_SERVICES_OFF', 'ONLINE_ITEM_NOT_FOUND', 'PORTAL_FAILED'] as const;

/** Routes of the online services. */
export function onlineServiceRoutes({
  synchronisations,
  synchronisationHistory,
}: Services): Route[] {
  const take = {
    method: 'put',
    needs: onlinePolicy.change,
    success: 204,
    description: 'For versions that wait because the invoker was changed here too.',
    errors: NOT_TAKEN,
  } as const;
  return [
    route({
      method: 'get',
      path: '/sync-history/status',
      needs: onlinePolicy.status,
      summary: 'Whether invokers and templates come from an online service',
      description: 'For released clients.',
      answer: StateBody,
      handle: () => {
        const { isOn: active } = synchronisations;
        const [invokers, templates] = [
          { active: synchronisations.isActive('INVOKER') },
          { active: synchronisations.isActive('TEMPLATE') },
        ];
        return Promise.resolve({ active, invoker_sync: invokers, template_sync: templates });
      },
    }),
    route({
      method: 'get',
      path: '/sync-history',
      needs: onlinePolicy.read,
      summary: 'List synchronisations, newest first',
      query: z.object({ limit: optionalWholeNumberIn(1, MAX_LISTED, 50) }),
      answer: z.array(SynchronisationBody),
      handle: async ({ query }) =>
        (await synchronisationHistory.newest(query.limit)).map(presentSynchronisation),
    }),
    route({
      method: 'post',
      path: '/sync-history',
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
    route({
      ...take,
      path: '/invoker/:name/sync-force',
      summary: 'Replaces an invoker by the version of the portal',
      params: NameParams,
      example: { params: { name: 'Example' } },
      handle: async ({ actor, params }) =>
        void (await synchronisations.take(actor, itemId('INVOKER', fold(params.name)))),
    }),
    route({
      ...take,
      path: '/invoker/list/sync-force',
      summary: 'Replaces invokers by the versions of the portal',
      description: `${take.description} One after the other, until one cannot be replaced.`,
      body: NamesInput,
      example: { body: { identifiers: [] } },
      handle: async ({ actor, body }) => {
        for (const name of new Set(body.identifiers))
          await synchronisations.take(actor, itemId('INVOKER', fold(name)));
      },
    }),
  ];
}
