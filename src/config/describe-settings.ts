import { MEANINGS } from './meanings';
import { SETTINGS } from './settings';
import type { Setting } from './settings';
import { relaxed, variableOf } from './setting';

export interface SettingDescription {
  readonly key: string;
  readonly meaning: string;
  readonly accepts: string;
  /** Environment variable. */
  readonly variable: string;
  /** In Markdown; empty for none. */
  readonly default: string;
  readonly secret: boolean;
}

const defaultOf = ({ fallback, defaultText, secret }: Setting<unknown>): string => {
  if (defaultText !== undefined) return defaultText;
  const isNone = fallback === null || (Array.isArray(fallback) && fallback.length === 0);
  if (isNone || secret === true) return '';
  return `\`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``;
};

export function describeSettings(product: string): SettingDescription[] {
  return Object.entries(SETTINGS).map(([name, setting]: [string, Setting<unknown>]) => {
    const key = setting.key.replace('<product>', product);
    return {
      key,
      meaning: MEANINGS[name as keyof typeof SETTINGS],
      accepts: setting.form.accepts,
      variable: setting.env ?? variableOf(key),
      default: defaultOf(setting),
      secret: setting.secret === true,
    };
  });
}

/** Returns settings by key. Like Spring, ignores case, hyphens and underscores. */
export function settingsByKey(product: string): (key: string) => SettingDescription | undefined {
  const settings = new Map(describeSettings(product).map((each) => [relaxed(each.key), each]));
  return (key) => settings.get(relaxed(key));
}
