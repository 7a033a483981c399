import { arch, platform, release, type } from 'node:os';
import { answeredCommand } from '../../platform/store/command';
import type { Config } from '../../config/config';
import type { Clock } from '../../platform/clock/clock';
import type { RedisHints } from '../../platform/events/redis-hints';
import { readDiskSpace } from '../../platform/files/disk-space';
import { MailFailure } from '../../platform/mail/mail-failure';
import type { MailSender } from '../../platform/mail/mail-sender';
import { whyEngineIsDown } from '../../platform/scripts/launch-engine';
import type { LaunchedEngine } from '../../platform/scripts/launch-engine';
import type { Store } from '../../platform/store/store';
import { formatBytes } from '../../platform/text/bytes';
import { VERSION } from '../../platform/version';
import type { LdapDirectory } from '../ldap/ldap-directory';
import type { ScheduleRecords } from '../schedules/schedule-records';
import { down, notUsed, up } from './component-check';
import type { CheckResult, ComponentCheck } from './component-check';

const STARTED_AT = new Date(Date.now() - process.uptime() * 1_000).toISOString();
/** The scheduler looks every second; a schedule that is due for longer was not started. */
const OVERDUE_MS = 60_000;

async function checkStore(store: Store): Promise<CheckResult> {
  const name = store.isEmbedded ? 'Embedded store' : 'MongoDB';
  try {
    const { version } = await answeredCommand(store.connection, { buildInfo: 1 });
    return up({ name, ...(typeof version === 'string' && { version }) });
  } catch {
    return down('The store does not respond.', { name });
  }
}

function checkRedis(hints: RedisHints | null): CheckResult {
  if (hints === null) return notUsed();
  const { location, version, isUp, warning } = hints;
  // Nothing fails without it.
  return up({ location, ...(version !== null && { version }), ...(!isUp && { warning }) });
}

export async function checkDisk(dir: string): Promise<CheckResult> {
  try {
    const { freeBytes, totalBytes, level } = await readDiskSpace(dir);
    const [free, total] = [formatBytes(freeBytes), formatBytes(totalBytes)];
    const details = { path: dir, free, total };
    if (level === 'too-little')
      return down(`Only ${free} are free on the disk of ${dir}.`, details);
    return up(level === 'little' ? { ...details, warning: `Only ${free} are free.` } : details);
  } catch (error) {
    return down(
      `The data directory ${dir} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Connects and signs in, as before a mail. @param mails null: mail is not configured */
async function checkMail(mails: MailSender | null, signal: AbortSignal): Promise<CheckResult> {
  // The released versions show mail as down until it is configured.
  if (mails === null) return notUsed('Host or sender is not set.');
  const details = { location: mails.location };
  try {
    await mails.check(signal);
    return up(details);
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    return down(error.message, details);
  }
}

async function checkLdap(
  directory: Pick<LdapDirectory, 'isConfigured' | 'probe'>,
): Promise<CheckResult> {
  if (!directory.isConfigured) return notUsed();
  const { working, failures } = await directory.probe();
  const failed = failures.join(' ');
  if (working.length === 0) return down(failed);
  return up({ location: working.join(' '), ...(failed !== '' && { warning: failed }) });
}

/** @param engine the process that the service started; null if it starts none */
async function checkPolyglot(
  polyglot: Config['scripts']['polyglot'],
  engine: Pick<LaunchedEngine, 'starts' | 'pid'> | null,
): Promise<CheckResult> {
  if (polyglot === null) return notUsed();
  const error = await whyEngineIsDown({ host: polyglot.host, port: polyglot.port });
  const details = {
    name: 'Polyglot engine',
    location: `${polyglot.host}:${polyglot.port}`,
    ...(engine !== null && { starts: engine.starts }),
    ...(engine?.pid != null && { pid: engine.pid }),
  };
  return error === null ? up(details) : down(error, details);
}

export async function checkScheduler(
  schedules: Pick<ScheduleRecords, 'earliestDueAt'>,
  clock: Clock,
): Promise<CheckResult> {
  const dueAt = await schedules.earliestDueAt();
  if (dueAt === null) return up({});
  const details = { nextDueAt: dueAt.toISOString() };
  return clock.now().getTime() - dueAt.getTime() > OVERDUE_MS
    ? down(`A schedule is due since ${dueAt.toISOString()} and was not started.`, details)
    : up(details);
}

function checkRuntime(): CheckResult {
  const { rss, heapUsed } = process.memoryUsage();
  return up({
    name: 'Node.js',
    version: process.versions.node,
    platform: `${platform()} ${arch()}`,
    pid: process.pid,
    startedAt: STARTED_AT,
    memory: formatBytes(rss),
    heap: formatBytes(heapUsed),
  });
}

/** Returns the checks in the order in which they are shown. */
export function createChecks({
  store,
  hints,
  config,
  clock,
  mails,
  ldap,
  schedules,
  launched,
}: {
  readonly store: Store;
  readonly hints: RedisHints | null;
  readonly config: Pick<Config, 'productPrefix' | 'scripts' | 'data'>;
  readonly clock: Clock;
  readonly mails: MailSender | null;
  readonly ldap: LdapDirectory;
  readonly schedules: ScheduleRecords;
  readonly launched: () => LaunchedEngine | null;
}): ComponentCheck[] {
  return [
    {
      name: config.productPrefix,
      title: 'Service',
      run: () => up({ version: VERSION }),
    },
    { name: 'mongoDB', title: 'Database', run: () => checkStore(store) },
    { name: 'redis', title: 'Redis', run: () => checkRedis(hints) },
    { name: 'disk', title: 'Disk', run: () => checkDisk(config.data.dir) },
    { name: 'scheduler', title: 'Scheduler', run: () => checkScheduler(schedules, clock) },
    { name: 'email', title: 'E-mail', run: (signal) => checkMail(mails, signal) },
    { name: 'ldap', title: 'LDAP directory', run: () => checkLdap(ldap) },
    {
      name: 'polyglot',
      title: 'Polyglot engine',
      run: () => checkPolyglot(config.scripts.polyglot, launched()),
    },
    { name: 'runtime', title: 'Runtime', run: checkRuntime },
    {
      name: 'os',
      title: 'Operating system',
      run: () => up({ name: type(), version: release() }),
    },
  ];
}
