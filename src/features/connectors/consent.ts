import { createHash } from 'node:crypto';
import { FieldReach } from '../../engine';
import { inTurns } from '../../platform/json/turns';
import type { Consent, ConnectorRecord, SealedField } from './connector.model';
import type { InvokerFacts, Visibility } from './connector.ports';
import type { Values } from './connector.rules';
import type { EnteredField } from './credentials';

/*
 * What a stored value may be used for: the visibility and the origins that its invoker and its connector named when it was entered
 * (docs/adr/0086). Nothing that changes later widens them, except the value itself being entered again, or the master password.
 */

const STRICTNESS: Readonly<Record<Visibility, number>> = { public: 0, protected: 1, private: 2 };

const stricter = (one: Visibility, other: Visibility): Visibility =>
  STRICTNESS[one] >= STRICTNESS[other] ? one : other;

const declarations = new WeakMap<InvokerFacts['requiredData'], ReadonlyMap<string, Visibility>>();

/** The visibility that the invoker gives a field; nothing is public of a field that it does not have. */
function declaredVisibility(invoker: InvokerFacts | null, name: string): Visibility {
  if (invoker === null) return 'private';
  const { requiredData } = invoker;
  const declared =
    declarations.get(requiredData) ??
    new Map(requiredData.map((field) => [field.name, field.visibility]));
  declarations.set(requiredData, declared);
  return declared.get(name) ?? 'private';
}

/** The visibility of a stored value: that of the invoker, but never weaker than when it was entered. */
export const visibilityOf = (
  field: SealedField | undefined,
  invoker: InvokerFacts | null,
  name: string,
): Visibility => stricter(declaredVisibility(invoker, name), field?.consent.visibility ?? 'public');

/** Stored in place of the origin, which a hidden field may name. */
const digestOf = (connectorId: number, field: string, origin: string): string =>
  createHash('sha256')
    .update(JSON.stringify([connectorId, field, origin]))
    .digest('base64url');

/** Was the value entered for this origin? */
export const allowsOrigin = (
  connectorId: number,
  { name, consent }: SealedField,
  origin: string,
): boolean => consent.origins.includes(digestOf(connectorId, name, origin));

/** What a value is entered for. */
export const consentTo = (
  connectorId: number,
  name: string,
  visibility: Visibility,
  origins: readonly string[],
): Consent => ({
  visibility,
  origins: origins.map((origin) => digestOf(connectorId, name, origin)),
});

/** Where the values of a connector go now. */
export const reachOf = (invoker: InvokerFacts, values: Values): Promise<FieldReach> =>
  inTurns((turn) => FieldReach.of(invoker, values, turn));

/** The same as far as it can be told without some of the fields. */
export function reachWithout(
  invoker: InvokerFacts,
  values: Values,
  isLeftOut: (name: string) => boolean,
): Promise<FieldReach> {
  return reachOf(
    { ...invoker, requiredData: invoker.requiredData.filter(({ name }) => !isLeftOut(name)) },
    Object.fromEntries(Object.entries(values).filter(([name]) => !isLeftOut(name))),
  );
}

/**
 * May requests with the values of some fields go to an origin? Checked for each request when its URL is complete: what a value is computed from
 * at that moment can lead elsewhere than the text of the invoker says.
 * @param stored the fields whose values are as they are stored
 */
export async function sendingRule(
  stored: readonly SealedField[],
  { _id }: Pick<ConnectorRecord, '_id'>,
  invoker: InvokerFacts,
  values: Values,
): Promise<(fields: ReadonlySet<string>, origin: string) => boolean> {
  const hidden = stored.filter((field) => visibilityOf(field, invoker, field.name) !== 'public');
  if (hidden.length === 0) return () => true;
  const reach = await reachOf(invoker, values);
  return (fields, origin) => {
    const sources = new Set([...fields].flatMap((field) => [...reach.sourcesOf(field)]));
    return hidden.every((field) => !sources.has(field.name) || allowsOrigin(_id, field, origin));
  };
}

/** A stored value that would be sent to origins it was not entered for. */
export interface Suspended {
  readonly name: string;
  /** Those origins; without the ones that only hidden fields name. */
  readonly origins: readonly string[];
}

/**
 * The stored values that are suspended.
 * @param fields of the connector, without those that other values take the place of
 * @param values of all fields, as they would be used
 */
export async function suspendedAmong(
  fields: readonly SealedField[],
  { _id }: Pick<ConnectorRecord, '_id'>,
  invoker: InvokerFacts,
  values: Values,
): Promise<readonly Suspended[]> {
  const hidden = fields.filter((field) => visibilityOf(field, invoker, field.name) !== 'public');
  if (hidden.length === 0) return [];
  const reach = await reachOf(invoker, values);
  const suspended = hidden.flatMap((field) => {
    const origins = reach
      .originsOf(field.name)
      .filter((origin) => !allowsOrigin(_id, field, origin));
    return origins.length === 0 ? [] : [{ name: field.name, origins }];
  });
  if (suspended.length === 0) return [];
  const stored = new Map(fields.map((field) => [field.name, field]));
  const shown = new Set(
    (
      await reachWithout(
        invoker,
        values,
        (name) => visibilityOf(stored.get(name), invoker, name) !== 'public',
      )
    ).all,
  );
  return suspended.map(({ name, origins }) => ({
    name,
    origins: origins.filter((origin) => shown.has(origin)),
  }));
}

/** The fields of a new or changed connector. */
export interface FieldsAfter {
  readonly kept: readonly SealedField[];
  readonly entered: readonly EnteredField[];
  /** Kept values that the change would send to origins they were not entered for. */
  readonly unconfirmed: readonly string[];
}

export interface FieldChange {
  readonly connectorId: number;
  readonly invoker: InvokerFacts;
  /** Those that are stored and stay with the connector. */
  readonly stored: readonly SealedField[];
  /** Their values. */
  readonly before: Values;
  readonly given: Values;
  /** The caller knows the master password. */
  readonly isConfirmed: boolean;
}

/**
 * What values may be used for after a change of a connector. A value that is entered again keeps the stricter visibility: a weaker one takes
 * the master password. Origins that were unconfirmed before the change stay so, whoever makes it.
 */
export async function fieldsAfter({
  connectorId,
  invoker,
  stored,
  before,
  given,
  isConfirmed,
}: FieldChange): Promise<FieldsAfter> {
  const [reach, reachBefore] = [
    await reachOf(invoker, { ...before, ...given }),
    await reachOf(invoker, before),
  ];
  const unconfirmed: string[] = [];
  const keep = (field: SealedField): SealedField => {
    const { name } = field;
    const [visibility, origins] = [visibilityOf(field, invoker, name), reach.originsOf(name)];
    if (visibility === 'public')
      return { ...field, consent: consentTo(connectorId, name, visibility, origins) };
    const known = new Set(reachBefore.originsOf(name));
    if (origins.every((origin) => allowsOrigin(connectorId, field, origin) || known.has(origin)))
      return field;
    if (!isConfirmed) unconfirmed.push(name);
    return {
      ...field,
      consent: consentTo(
        connectorId,
        name,
        visibility,
        origins.filter((origin) => allowsOrigin(connectorId, field, origin) || !known.has(origin)),
      ),
    };
  };
  const entered = Object.entries(given).map(([name, text]): EnteredField => {
    const field = isConfirmed ? undefined : stored.find((each) => each.name === name);
    return {
      name,
      text,
      consent: consentTo(
        connectorId,
        name,
        visibilityOf(field, invoker, name),
        reach.originsOf(name),
      ),
    };
  });
  return {
    kept: stored.filter(({ name }) => !Object.hasOwn(given, name)).map(keep),
    entered,
    unconfirmed,
  };
}

/** The fields with consent to everything that holds now. */
export async function withConsent(
  record: Pick<ConnectorRecord, '_id' | 'requestData'>,
  invoker: InvokerFacts | null,
  values: Values,
  isMeant: (field: SealedField) => boolean,
): Promise<SealedField[]> {
  const reach = invoker && (await reachOf(invoker, values));
  return record.requestData.map((field) =>
    isMeant(field)
      ? {
          ...field,
          consent: consentTo(
            record._id,
            field.name,
            visibilityOf(field, invoker, field.name),
            reach?.originsOf(field.name) ?? [],
          ),
        }
      : field,
  );
}
