import type { SettingValues } from './assemble';
import { secretWeakness } from './released-file';
import { SETTINGS } from './settings';
import type { Setting } from './settings';
import { relaxed, variablesOf } from './setting';
import type { FlatKeys } from './setting';

/** The source of a value: an environment variable, a key of the file, or the default. */
type SettingSource =
  { readonly from: 'environment' | 'file'; readonly name: string } | { readonly from: 'default' };

export interface SettingReading {
  readonly key: string;
  readonly source: SettingSource;
  readonly secret: boolean;
  /** The default if the given value is invalid. */
  readonly value: unknown;
}

/** A value as it was given, and by what. */
interface GivenValue {
  readonly from: 'environment' | 'file';
  readonly name: string;
  readonly raw: unknown;
}

/** Reads all settings from the environment and the file; the environment wins. */
export class SettingReader {
  readonly problems: string[] = [];
  readonly warnings: string[] = [];
  private readonly byRelaxedKey: ReadonlyMap<string, { key: string; value: unknown }>;

  /** @param parts.checksAll also checks values of the file that the environment overrides */
  constructor(
    private readonly parts: {
      readonly env: NodeJS.ProcessEnv;
      readonly keys: FlatKeys;
      readonly product: string;
      readonly checksAll: boolean;
    },
  ) {
    this.byRelaxedKey = new Map(
      [...parts.keys].map(([key, value]) => [relaxed(key), { key, value }]),
    );
  }

  readAll(): { values: SettingValues; settings: SettingReading[] } {
    const readings = Object.entries(SETTINGS).map(
      ([name, setting]: [string, Setting<unknown>]) => [name, this.read(setting)] as const,
    );
    const values = Object.fromEntries(readings.map(([name, { value }]) => [name, value]));
    return { values: values as SettingValues, settings: readings.map(([, reading]) => reading) };
  }

  private read(setting: Setting<unknown>): SettingReading {
    const { form, fallback, secret = false } = setting;
    const key = setting.key.replace('<product>', this.parts.product);
    const unset: SettingReading = { key, secret, value: fallback, source: { from: 'default' } };
    const input = this.readInput(setting, key);
    if (input === null) return unset;
    const value = form.read(input.raw);
    if (value === undefined) this.report(setting, input);
    if (setting.key === SETTINGS.tokenSecret.key && typeof value === 'string') {
      const weakness = secretWeakness(value, input.from, this.parts.keys);
      if (weakness !== null) {
        this.warnings.push(
          `${input.name} ${weakness}. It is not used: the service generates a secret and keeps it in the data directory`,
        );
        return unset;
      }
    }
    return {
      key,
      secret,
      value: value ?? fallback,
      source: { from: input.from, name: input.name },
    };
  }

  private readInput(
    { key: template, formerKey, env: shortName, form, isLenient }: Setting<unknown>,
    key: string,
  ): GivenValue | null {
    const { env, product, checksAll } = this.parts;
    const former = formerKey?.replace('<product>', product);
    const [variable, ...overridden] = [
      ...(shortName === undefined ? [] : [shortName]),
      ...(shortName?.endsWith('_PROXY') ? [shortName.toLowerCase()] : []),
      ...variablesOf(template, product),
      ...(formerKey === undefined ? [] : variablesOf(formerKey, product)),
    ].filter((candidate) => (env[candidate] ?? '') !== '');
    const inFile =
      this.byRelaxedKey.get(relaxed(key)) ??
      (former === undefined ? undefined : this.byRelaxedKey.get(relaxed(former)));
    if (variable === undefined)
      return inFile === undefined ? null : { from: 'file', name: inFile.key, raw: inFile.value };
    // A value that the environment overrides would prevent a start without that variable.
    if (
      checksAll &&
      isLenient !== true &&
      inFile !== undefined &&
      form.read(inFile.value) === undefined
    )
      this.problems.push(`${inFile.key}: must be ${form.accepts}`);
    for (const other of overridden)
      if (env[other] !== env[variable])
        this.warnings.push(`${other} in the environment is ignored, since ${variable} is set too`);
    return { from: 'environment', name: variable, raw: env[variable] };
  }

  private report(
    { form, secret, isLenient }: Setting<unknown>,
    { from, name, raw }: GivenValue,
  ): void {
    const shown = `${name} = ${secret === true ? '***' : JSON.stringify(raw)}`;
    if (isLenient === true && from === 'file')
      this.warnings.push(`${shown}: is ignored, since it is not ${form.accepts}`);
    else this.problems.push(`${shown}: must be ${form.accepts}`);
  }
}
