import { flag, text } from './forms';
import { setting } from './setting';

const CRON = text(
  'a cron pattern with 6 or 7 fields such as 0 0 0 * * *',
  (value) => /^\S+(?:\s+\S+){5,6}$/.test(value) && /^[\w\s*?,/#-]+$/.test(value),
);
const sync = (what: string) =>
  ({
    time: setting(`<product>.online-services.${what}.time`, CRON, '0 0 0 * * *'),
    active: setting(`<product>.online-services.${what}.active`, flag(), false),
  }) as const;
const [invokers, templates] = [sync('invoker-sync'), sync('template-sync')];

/** Synchronisation with the portal of a released installation. */
export const ONLINE_SETTINGS = {
  onlineActive: setting('<product>.online-services.active', flag(), false),
  onlineInvokersTime: invokers.time,
  onlineInvokersActive: invokers.active,
  onlineTemplatesTime: templates.time,
  onlineTemplatesActive: templates.active,
} as const;
