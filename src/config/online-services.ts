import { cronProblems } from '../platform/clock/cron';
import { flag, secretText, text } from './forms';
import { optional, setting } from './setting';
import type { ValuesOf } from './setting';

const CRON = text(
  'a cron pattern with 6 or 7 fields such as 0 0 0 * * *',
  (value) => /^\S+(?:\s+\S+){5,6}$/.test(value) && /^[\w\s*?,/#-]+$/.test(value),
);
const sync = (job: string) =>
  ({
    time: setting(`<product>.online-services.${job}.time`, CRON, '0 0 0 * * *'),
    active: setting(`<product>.online-services.${job}.active`, flag(), false),
  }) as const;
const [invokers, templates] = [sync('invoker-sync'), sync('template-sync')];

function isPortalUrl(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    !/[?#]/.test(value) &&
    url.username === '' &&
    url.password === ''
  );
}

/** It is sent in a header: printable ASCII without blanks. */
const isToken = (value: string): boolean => /^[\x21-\x7e]{1,4096}$/.test(value);

/** Synchronisation with an online service portal. */
export const ONLINE_SETTINGS = {
  onlineActive: setting('<product>.online-services.active', flag(), false),
  onlineAddress: optional(
    '<product>.online-services.url',
    text('an http or https URL without user, query and fragment', isPortalUrl),
  ),
  onlineToken: optional(
    '<product>.online-services.token',
    secretText('1 to 4,096 printable ASCII characters without blanks', isToken),
    { secret: true },
  ),
  onlineInvokersTime: invokers.time,
  onlineInvokersActive: invokers.active,
  onlineTemplatesTime: templates.time,
  onlineTemplatesActive: templates.active,
} as const;

/** Returns the problems of times that are used. */
export function onlineProblems(
  values: ValuesOf<typeof ONLINE_SETTINGS>,
  product: string,
): string[] {
  const kinds = [
    ['invoker-sync', values.onlineInvokersActive, values.onlineInvokersTime],
    ['template-sync', values.onlineTemplatesActive, values.onlineTemplatesTime],
  ] as const;
  return kinds.flatMap(([name, isActive, cron]) =>
    values.onlineActive && isActive
      ? cronProblems(cron, 'UTC').map(
          ({ message }) => `${product}.online-services.${name}.time = "${cron}": ${message}`,
        )
      : [],
  );
}

export interface OnlineConfig {
  /** The master switch. */
  readonly isActive: boolean;
  /** Address of the portal. */
  readonly address: string | null;
  readonly token: string | null;
  /** Keys without which nothing is synchronised; empty if it can be. */
  readonly missingKeys: readonly string[];
  /** What is synchronised by itself, and when. */
  readonly kinds: Readonly<
    Record<'INVOKER' | 'TEMPLATE', { readonly isActive: boolean; readonly cron: string }>
  >;
}

export const onlineServicesOf = (
  values: ValuesOf<typeof ONLINE_SETTINGS>,
  product: string,
): OnlineConfig => ({
  isActive: values.onlineActive,
  address: values.onlineAddress,
  token: values.onlineToken,
  missingKeys: [
    ...(values.onlineActive ? [] : [ONLINE_SETTINGS.onlineActive.key]),
    ...(values.onlineAddress === null ? [ONLINE_SETTINGS.onlineAddress.key] : []),
  ].map((key) => key.replace('<product>', product)),
  kinds: {
    INVOKER: { isActive: values.onlineInvokersActive, cron: values.onlineInvokersTime },
    TEMPLATE: { isActive: values.onlineTemplatesActive, cron: values.onlineTemplatesTime },
  },
});
