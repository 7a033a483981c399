import { z } from 'zod';
import { ROLES } from '../config/roles';
import { PROCESS_STATES } from '../platform/store/startup/process-records';
import { operatorCommand } from './operator-command';
import { print, printTable } from './output';

const LISTED = z.array(
  z
    .object({
      _id: z.string(),
      roles: z.array(z.enum(ROLES)),
      version: z.string(),
      layout: z.number(),
      host: z.string(),
      pid: z.number(),
      since: z.coerce.date(),
      beatAt: z.coerce.date(),
      lagMs: z.number(),
      state: z.enum(PROCESS_STATES),
      runs: z.number(),
    })
    .transform(({ _id: name, ...rest }) => ({ name, ...rest })),
);

/** `hypha processes`. Returns the exit code. */
export const listProcesses = (json: boolean): Promise<number> =>
  operatorCommand(
    'processes',
    'The processes were not listed',
    () => ({}),
    (result) => {
      const processes = LISTED.parse(result.processes);
      if (json) print(JSON.stringify(processes, null, 2));
      else
        printTable([
          [
            'state',
            'roles',
            'version',
            'layout',
            'machine',
            'pid',
            'since',
            'last beat',
            'lag',
            'runs',
          ],
          ...processes.map(
            ({ state, roles, version, layout, host, pid, since, beatAt, lagMs, runs }) => [
              state,
              roles.join(','),
              version,
              String(layout),
              host,
              String(pid),
              since.toISOString(),
              beatAt.toISOString(),
              `${lagMs} ms`,
              String(runs),
            ],
          ),
        ]);
    },
  );
