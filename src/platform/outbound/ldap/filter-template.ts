import type { Filter } from 'ldapts';
import { ldapts } from './ldap-search';

const MAX_FILTER_LENGTH = 2_000;
/** Escaped bytes outside ASCII. The parser of the library reads each as a character. */
const ESCAPED_BYTES = /(?:\\[89a-f][0-9a-f])+/gi;
const PLACEHOLDER = /\{([01])\}/g;

/** Returns a filter with these values in place of `{0}` and `{1}`. */
export interface FilterTemplate {
  (...values: readonly string[]): Filter;
  /** Names of the attributes that are compared with `{0}`. */
  readonly attributes: readonly string[];
}

/**
 * Parses a filter with placeholders such as `(mail={0})`. Values are put into the parsed filter,
 * never into its text, so that they cannot change its meaning.
 * @throws Error if the text is no filter, or no value in it has `{0}`
 */
export function parseFilterTemplate(text: string): FilterTemplate {
  if (text.length > MAX_FILTER_LENGTH)
    throw new Error(`The filter is longer than ${MAX_FILTER_LENGTH} characters.`);
  const parsed = ldapts().FilterParser.parseString(
    text
      .trim()
      .replaceAll(ESCAPED_BYTES, (run) =>
        Buffer.from(run.replaceAll('\\', ''), 'hex').toString('utf8'),
      ),
  );
  const attributes = new Set<string>();
  withValues(parsed, (value, attribute) => {
    if (value.includes('{0}')) attributes.add(attribute.toLowerCase());
    return value;
  });
  if (attributes.size === 0) throw new Error('The filter has no {0}, so it would find any entry.');
  const fill = (...values: readonly string[]): Filter =>
    withValues(parsed, (value) =>
      value.replaceAll(PLACEHOLDER, (_found, index: string) => values[Number(index)] ?? ''),
    );
  return Object.assign(fill, { attributes: [...attributes].filter((name) => name !== '') });
}

/** Returns the filter that entries match which match one of these. */
export const anyOf = (filters: readonly Filter[]): Filter =>
  filters.length === 1 ? filters[0] : new (ldapts().OrFilter)({ filters: [...filters] });

/** Returns the filter that all entries match. */
export const anyEntry = (): Filter => new (ldapts().PresenceFilter)({ attribute: 'objectClass' });

/** Returns whether `parseFilterTemplate` accepts the text. */
export function isFilterTemplate(text: string): boolean {
  try {
    parseFilterTemplate(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns a copy of a filter with changed values. */
function withValues(filter: Filter, change: (value: string, attribute: string) => string): Filter {
  const library = ldapts();
  const inner = (each: Filter): Filter => withValues(each, change);
  if (filter instanceof library.AndFilter)
    return new library.AndFilter({ filters: filter.filters.map(inner) });
  if (filter instanceof library.OrFilter)
    return new library.OrFilter({ filters: filter.filters.map(inner) });
  if (filter instanceof library.NotFilter)
    return new library.NotFilter({ filter: inner(filter.filter) });
  if (filter instanceof library.SubstringFilter)
    return new library.SubstringFilter({
      attribute: filter.attribute,
      initial: change(filter.initial, filter.attribute),
      any: filter.any.map((value) => change(value, filter.attribute)),
      final: change(filter.final, filter.attribute),
    });
  if (filter instanceof library.ExtensibleFilter)
    return new library.ExtensibleFilter({
      rule: filter.rule,
      matchType: filter.matchType,
      dnAttributes: filter.dnAttributes,
      value: change(filter.value, filter.matchType),
    });
  for (const Comparison of [
    library.EqualityFilter,
    library.ApproximateFilter,
    library.GreaterThanEqualsFilter,
    library.LessThanEqualsFilter,
  ])
    if (filter instanceof Comparison)
      return new Comparison({
        attribute: filter.attribute,
        value: change(filter.value.toString(), filter.attribute),
      });
  return filter;
}
