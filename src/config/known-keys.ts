import { relaxed } from './setting';
import { KNOWN_ELSEWHERE, SETTINGS } from './settings';
import type { Setting } from './settings';

/** All keys of this block are settings, although others that begin with `spring` are not. */
const OWN_BLOCK = relaxed('spring.security.ldap.');

/** The keys of a configuration file that are known for a product. */
export class KnownKeys {
  /** Keys of settings by their relaxed form. */
  readonly settings: ReadonlyMap<string, string>;
  private readonly former: ReadonlySet<string>;
  private readonly elsewhere: readonly string[];

  constructor(product: string) {
    const of = (key: string): string => key.replace('<product>', product);
    const settings: Setting<unknown>[] = Object.values(SETTINGS);
    this.settings = new Map(settings.map(({ key }) => [relaxed(of(key)), of(key)]));
    this.former = new Set(
      settings.flatMap(({ formerKey }) =>
        formerKey === undefined ? [] : [relaxed(of(formerKey))],
      ),
    );
    this.elsewhere = KNOWN_ELSEWHERE.map((key) => relaxed(of(key)));
  }

  /** Whether it is the key of a setting in this version or an older one. */
  isSetting(key: string): boolean {
    const name = relaxed(key);
    return this.settings.has(name) || this.former.has(name);
  }

  /** Whether released installations have the key for something that is not part of this version. */
  isElsewhere(key: string): boolean {
    const name = relaxed(key);
    return (
      !name.startsWith(OWN_BLOCK) &&
      this.elsewhere.some((prefix) => name === prefix || name.startsWith(`${prefix}.`))
    );
  }
}
