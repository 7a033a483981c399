import type { RedisConfig } from '../../config/redis';
import { RedisHints } from '../../platform/events/redis-hints';
import { scrub } from '../../platform/log/redact';
import { createLogger } from '../../platform/log/logger';
import { findingsAbout } from './checks';
import type { Finding } from './checks';

const finding = findingsAbout('redis');

/** Checks whether messages can be sent through the configured Redis. The service works without. */
export async function redisFinding(config: RedisConfig): Promise<Finding> {
  const hints = new RedisHints(config, {
    feed: { catchUp: () => Promise.resolve(), onNoted: () => undefined },
    log: createLogger({ log: { level: 'silent' } }),
  });
  hints.start();
  await hints.firstOutcome;
  const { isUp, location, version, warning } = hints;
  await hints.stop();
  return isUp
    ? finding.ok(`Redis${version === null ? '' : ` ${version}`} at ${location} passes on messages.`)
    : finding.warning(scrub(warning));
}
