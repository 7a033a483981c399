import { userInfo } from 'node:os';
import { z } from 'zod';
import { askService } from '../../platform/control/client';
import { scrub } from '../../platform/log/redact';
import { messageOf } from '../output';
import { findingsAbout } from './checks';
import type { Finding } from './checks';

const HEALTH = z.object({
  components: z.array(
    z.object({
      title: z.string(),
      status: z.enum(['UP', 'DOWN', 'UNKNOWN']),
      isUsed: z.boolean(),
      error: z.string().nullable(),
      details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    }),
  ),
});
type Component = z.output<typeof HEALTH>['components'][number];

const serviceFinding = findingsAbout('service');

/** Returns the system check of the service that runs on this data directory. */
export async function serviceFindings(dir: string): Promise<Finding[]> {
  try {
    const answer = await askService(dir, {
      command: 'system check',
      input: {},
      systemUser: userInfo().username,
    });
    if (answer === null)
      return [serviceFinding.error(`No service runs on ${dir}, or it does not accept commands.`)];
    if (!answer.done) return [serviceFinding.error(answer.message)];
    return HEALTH.parse(answer.result).components.map(findingOf);
  } catch (error) {
    return [serviceFinding.error(messageOf(error))];
  }
}

function findingOf({ title, status, isUsed, error, details }: Component): Finding {
  if (!isUsed) return serviceFinding.ok(`${title}: not used`);
  const { warning, ...others } = details;
  const facts = Object.entries(others)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
  const about = scrub(facts === '' ? title : `${title} (${facts})`);
  if (status === 'DOWN') return serviceFinding.error(scrub(`${about}: ${error ?? 'down'}`));
  return warning === undefined
    ? serviceFinding.ok(`${about}: operational`)
    : serviceFinding.warning(scrub(`${about}: ${String(warning)}`));
}
