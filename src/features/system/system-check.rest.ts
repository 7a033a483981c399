import { z } from 'zod';
import type { Services } from '../../platform/context';
import { route } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';

const Component = z
  .object({
    status: z.enum(['UP', 'DOWN', 'UNKNOWN']).meta({ description: 'UNKNOWN: it is not in use.' }),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  })
  .meta({ id: 'SystemComponent' });
const SystemHealth = z
  .object({
    status: z.enum(['UP', 'DOWN']),
    components: z
      .record(z.string(), Component)
      .meta({ description: 'mongoDB, polyglot, os and the product, by these names.' }),
  })
  .meta({ id: 'SystemHealth' });

/** The system check at the paths of the released line: at the root and below /api. */
export function systemCheckRoutes({ systemCheck }: Pick<Services, 'systemCheck'>): Route[] {
  return [
    route({
      method: 'get',
      path: '/actuator/health',
      alsoAtRoot: true,
      needs: 'authenticated',
      tag: 'System',
      success: 200,
      summary: 'What works now',
      description:
        '200 also when something is DOWN. The polyglot engine is asked by the health service of gRPC.',
      answer: SystemHealth,
      handle: async () => {
        const components = await systemCheck.components();
        return {
          status: Object.values(components).some(({ status }) => status === 'DOWN') ? 'DOWN' : 'UP',
          components,
        };
      },
    }),
  ];
}
