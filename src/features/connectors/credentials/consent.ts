import { FieldReach } from '../../../engine';
import type { InvokerFacts, Visibility } from '../../../engine';
import { derived } from '../../../platform/cache';
import { sha256 } from '../../../platform/crypto/sha256';
import type { Consent, ConnectorRecord, SealedField } from '../connector.model';
import type { Values } from '../connector.rules';
import type { EnteredField } from './credentials';

/*
 * Limits the use of a stored value to the visibility and the origins that its invoker and its
 * connector named when it was entered (docs/adr/0018). Only entering the value again or the master
 * password widens them.
 */

const STRICTNESS: Readonly<Record<Visibility, number>> = { public: 0, protected: 1, private: 2 };

const stricter = (one: Visibility, other: Visibility): Visibility =>
  STRICTNESS[one] >= STRICTNESS[other] ? one : other;

const visibilities = derived(
  (fields: InvokerFacts['requiredData']): ReadonlyMap<string, Visibility> =>
    new Map(fields.map((field) => [field.name, field.visibility])),
);

/** Returns the declared visibility; private if the invoker does not declare the field. */
const declaredVisibility = (invoker: InvokerFacts | null, name: string): Visibility =>
  (invoker && visibilities(invoker.requiredData).get(name)) ?? 'private';

/**
 * Returns the visibility of a stored value: as declared, but never weaker than when it was entered.
 */
export const visibilityOf = (
  field: SealedField | undefined,
  invoker: InvokerFacts | null,
  name: string,
): Visibility => stricter(declaredVisibility(invoker, name), field?.consent.visibility ?? 'public');

const hiddenAmong = (fields: readonly SealedField[], invoker: InvokerFacts): SealedField[] =>
  fields.filter((field) => visibilityOf(field, invoker, field.name) !== 'public');

/** Stored instead of the origin, which may come from a hidden field. */
const digestOf = (connectorId: number, field: string, origin: string): string =>
  sha256(JSON.stringify([connectorId, field, origin]));

/** Returns whether the value was entered for this origin. */
export const allowsOrigin = (
  connectorId: number,
  { name, consent }: SealedField,
  origin: string,
): boolean => consent.origins.includes(digestOf(connectorId, name, origin));

const consentTo = (
  connectorId: number,
  name: string,
  visibility: Visibility,
  origins: readonly string[],
): Consent => ({
  visibility,
  origins: origins.map((origin) => digestOf(connectorId, name, origin)),
});

/** Returns the origins that the values of a connector go to now. */
export const reachOf = (invoker: InvokerFacts, values: Values): FieldReach =>
  FieldReach.of(invoker, values);

/** Like `reachOf`, without the fields for which `isExcluded` is true. */
export function reachWithout(
  invoker: InvokerFacts,
  values: Values,
  isExcluded: (name: string) => boolean,
): FieldReach {
  return reachOf(
    { ...invoker, requiredData: invoker.requiredData.filter(({ name }) => !isExcluded(name)) },
    Object.fromEntries(Object.entries(values).filter(([name]) => !isExcluded(name))),
  );
}

/**
 * Returns a check of whether requests with the values of some fields may go to an origin. Call it
 * for each complete URL: computed values can lead to other origins than the text of the invoker
 * names.
 * @param stored the fields whose values are as stored
 */
export function createSendingRule(
  stored: readonly SealedField[],
  { _id }: Pick<ConnectorRecord, '_id'>,
  invoker: InvokerFacts,
  values: Values,
): (fields: ReadonlySet<string>, origin: string) => boolean {
  const hidden = hiddenAmong(stored, invoker);
  if (hidden.length === 0) return () => true;
  const reach = reachOf(invoker, values);
  return (fields, origin) => {
    const sources = new Set([...fields].flatMap((field) => [...reach.sourcesOf(field)]));
    return hidden.every((field) => !sources.has(field.name) || allowsOrigin(_id, field, origin));
  };
}

/** A stored value that would go to origins it was not entered for. */
export interface Suspended {
  readonly name: string;
  /** These origins, except those that only hidden fields name. */
  readonly origins: readonly string[];
}

/**
 * Returns the suspended values.
 * @param fields of the connector, without those that other values replace
 * @param values of all fields, as they would be used
 */
export function findSuspended(
  fields: readonly SealedField[],
  { _id }: Pick<ConnectorRecord, '_id'>,
  invoker: InvokerFacts,
  values: Values,
): readonly Suspended[] {
  const hidden = hiddenAmong(fields, invoker);
  if (hidden.length === 0) return [];
  const reach = reachOf(invoker, values);
  const suspended = hidden.flatMap((field) => {
    const origins = reach
      .originsOf(field.name)
      .filter((origin) => !allowsOrigin(_id, field, origin));
    return origins.length === 0 ? [] : [{ name: field.name, origins }];
  });
  if (suspended.length === 0) return [];
  const stored = new Map(fields.map((field) => [field.name, field]));
  const isHidden = (name: string): boolean =>
    visibilityOf(stored.get(name), invoker, name) !== 'public';
  const shown = new Set(reachWithout(invoker, values, isHidden).all);
  return suspended.map(({ name, origins }) => ({
    name,
    origins: origins.filter((origin) => shown.has(origin)),
  }));
}

interface AppliedFields {
  readonly kept: readonly SealedField[];
  readonly entered: readonly EnteredField[];
  /** Kept values that the change would send to origins they were not entered for. */
  readonly unconfirmed: readonly string[];
}

interface GivenFields {
  readonly connectorId: number;
  readonly invoker: InvokerFacts;
  readonly stored: readonly SealedField[];
  readonly before: Values;
  readonly given: Values;
  /** True if the caller sent the master password. */
  readonly isConfirmed: boolean;
}

/**
 * Returns the fields and their consent after a change of a connector. A value that is entered again
 * keeps the stricter visibility: a weaker one requires the master password. Origins that were
 * unconfirmed before stay unconfirmed.
 */
export function applyGiven({
  connectorId,
  invoker,
  stored,
  before,
  given: values,
  isConfirmed,
}: GivenFields): AppliedFields {
  const reach = reachOf(invoker, { ...before, ...values });
  const reachBefore = reachOf(invoker, before);
  const unconfirmed: string[] = [];
  const keep = (field: SealedField): SealedField => {
    const { name } = field;
    const visibility = visibilityOf(field, invoker, name);
    const origins = reach.originsOf(name);
    if (visibility === 'public')
      return { ...field, consent: consentTo(connectorId, name, visibility, origins) };
    const previous = new Set(reachBefore.originsOf(name));
    const isAllowed = (origin: string): boolean => allowsOrigin(connectorId, field, origin);
    if (origins.every((origin) => isAllowed(origin) || previous.has(origin))) return field;
    if (!isConfirmed) unconfirmed.push(name);
    const confirmed = origins.filter((origin) => isAllowed(origin) || !previous.has(origin));
    return { ...field, consent: consentTo(connectorId, name, visibility, confirmed) };
  };
  const entered = Object.entries(values).map(([name, text]): EnteredField => {
    const field = isConfirmed ? undefined : stored.find((each) => each.name === name);
    const visibility = visibilityOf(field, invoker, name);
    return { name, text, consent: consentTo(connectorId, name, visibility, reach.originsOf(name)) };
  });
  return {
    kept: stored.filter(({ name }) => !Object.hasOwn(values, name)).map(keep),
    entered,
    unconfirmed,
  };
}

/** Returns all fields, the named ones with consent to the current visibility and origins. */
export function confirmFields(
  record: Pick<ConnectorRecord, '_id' | 'requestData'>,
  invoker: InvokerFacts,
  values: Values,
  names: ReadonlySet<string>,
): SealedField[] {
  const reach = reachOf(invoker, values);
  return record.requestData.map((field) => {
    if (!names.has(field.name)) return field;
    const { name } = field;
    const visibility = visibilityOf(field, invoker, name);
    return { ...field, consent: consentTo(record._id, name, visibility, reach.originsOf(name)) };
  });
}
