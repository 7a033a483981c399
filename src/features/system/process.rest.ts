import { z } from 'zod';
import { ROLES } from '../../config/roles';
import type { Services } from '../../platform/context';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { PROCESS_STATES } from '../../platform/store/startup/process-records';
import type { ServiceProcess } from './process.service';
import { systemPolicy } from './system.policy';

const route = routesTagged('System');

const Process = z
  .object({
    name: z.string().meta({ description: 'Its unique name.' }),
    roles: z.array(z.enum(ROLES)),
    version: z.string().meta({ examples: ['1.0.0'] }),
    layout: z.int().meta({ description: 'The highest number of its migrations.' }),
    host: z.string().meta({ description: 'Name of its machine.' }),
    pid: z.int(),
    since: z.iso.datetime(),
    beatAt: z.iso.datetime().meta({ description: 'Last sign of life, every five seconds.' }),
    lagMs: z.int().meta({
      description: 'Age of what it knew of the changes of others at its last beat, ms.',
    }),
    state: z.enum(PROCESS_STATES).meta({
      description:
        'late: it missed two beats. dead: it ended without stopping, or is silent for 30 seconds.',
    }),
    runs: z.int().meta({ description: 'Number of runs that it executes.' }),
  })
  .meta({ id: 'Process' });

const presentProcess = ({
  _id,
  since,
  beatAt,
  ...rest
}: ServiceProcess): z.output<typeof Process> => ({
  name: _id,
  ...rest,
  roles: [...rest.roles],
  since: since.toISOString(),
  beatAt: beatAt.toISOString(),
});

export function processRoutes({ processList }: Pick<Services, 'processList'>): Route[] {
  return [
    route('GET /actuator/processes', {
      needs: systemPolicy.readProcesses,
      summary: 'The processes that share the store',
      description:
        'The oldest first. Dead ones are listed for a day. With an embedded store that is not shared, there is one.',
      answer: z.array(Process),
      handle: async () => (await processList.list()).map(presentProcess),
    }),
  ];
}
