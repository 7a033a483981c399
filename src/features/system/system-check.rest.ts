import { z } from 'zod';
import type { Services } from '../../platform/context';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import type { SystemComponent } from './component-check';
import { systemPolicy } from './system.policy';

const route = routesTagged('System');

const Component = z
  .object({
    status: z.enum(['UP', 'DOWN', 'UNKNOWN']).meta({ description: 'UNKNOWN: it is not in use.' }),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .meta({ description: 'With `error` if it is down. Empty unless an administrator asks.' }),
  })
  .meta({ id: 'SystemComponent' });
type Component = z.output<typeof Component>;

const SystemHealth = z
  .object({
    status: z.enum(['UP', 'DOWN']),
    components: z.record(z.string(), Component).meta({
      description:
        'The product, mongoDB, disk, scheduler, email, ldap, polyglot, runtime and os, by these names; and mariaDB, which is the store too.',
    }),
  })
  .meta({ id: 'SystemHealth' });

/** The released versions have two databases, and their clients show both: here both are the store. */
const STORE = 'mongoDB';
const SECOND_DATABASE = 'mariaDB';

const present = ({ status, error, details }: SystemComponent): Component => ({
  status,
  details: { ...details, ...(error !== null && { error }) },
});

const common = {
  alsoAtRoot: true,
  needs: systemPolicy.readHealth,
} as const;

/** The system check at the paths of the released line: at the root and below /api. */
export function systemCheckRoutes({ systemCheck }: Pick<Services, 'systemCheck'>): Route[] {
  return [
    route('GET /actuator/health', {
      ...common,
      summary: 'State of the service and its dependencies',
      description:
        'Returns 200 even if a component is DOWN. Results are up to five seconds old. The polyglot engine is checked with the gRPC health service, mail and LDAP by a login at their servers. Mail that is not configured is DOWN and does not count.',
      answer: SystemHealth,
      handle: async ({ actor }) => {
        const { status, components } = await systemCheck.read(actor);
        const presented = new Map(components.map((each) => [each.name, present(each)]));
        const store = presented.get(STORE);
        if (store) presented.set(SECOND_DATABASE, store);
        return { status, components: Object.fromEntries(presented) };
      },
    }),
    route('GET /actuator/health/:component', {
      ...common,
      params: z.object({ component: z.string() }),
      summary: 'State of one part of the service',
      description: 'Checks no other part. Returns 200 even if it is DOWN.',
      answer: Component,
      example: { params: { component: 'mongoDB' } },
      errors: ['SYSTEM_COMPONENT_NOT_FOUND'],
      handle: async ({ actor, params: { component } }) =>
        present(
          await systemCheck.readOne(actor, component === SECOND_DATABASE ? STORE : component),
        ),
    }),
  ];
}
