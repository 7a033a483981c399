import type { FlatKeys } from './file';
import { KNOWN_ELSEWHERE, SETTINGS } from './settings';
import type { Setting } from './settings';

/**
 * How many letters must be added, left out, exchanged, or swapped with their neighbour to make one name of the other (optimal string
 * alignment). Ours, since swapped letters are what people type, and the libraries that know them are no longer kept.
 */
export function editDistance(one: string, other: string): number {
  // Of the last three rows of the table: costs of making the first `row` letters of one from the first `column` of the other.
  let [before, above] = [
    [] as number[],
    Array.from({ length: other.length + 1 }, (_each, column) => column),
  ];
  for (let row = 1; row <= one.length; row += 1) {
    const costs = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1];
      costs.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (costs[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, above] = [above, costs];
  }
  return above[other.length] ?? 0;
}

/** The candidate that is most like the name, and not more than `most` letters away; the first of several. */
function nearest(name: string, candidates: Iterable<string>, most: number): string | null {
  let [found, least] = [null as string | null, most];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > least) continue;
    const distance = editDistance(name, candidate);
    if (distance < least || (distance === least && found === null))
      [found, least] = [candidate, distance];
  }
  return found;
}

/** Of this process, not of a setting. */
const OTHER_VARIABLES = ['NODE_ENV', 'CONFIG_FILE', 'PRODUCT_PREFIX'];
const PREFIX = 'hypha';
/** Letters in which a name may differ from the one that was meant. */
const TYPING_ERRORS = 2;
/** A name that begins as ours do is meant for us: it may differ in more. */
const ERRORS_BEHIND_PREFIX = 4;
/** Letters of a name that many words are like. */
const SHORT = 5;

/** Spring reads `activityTime`, `activity-time` and `ACTIVITY_TIME` as one key; so do we. */
export const relaxed = (key: string): string => key.toLowerCase().replaceAll(/[-_]/g, '');

/** The environment variable of a key: `hypha.token.activity-time` is `HYPHA_TOKEN_ACTIVITY_TIME`. */
export const variableOf = (key: string): string => key.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');

const settings = (): readonly Setting<unknown>[] => Object.values(SETTINGS);
const ignored = (what: string, meant: string | null): string =>
  `${what}; it is ignored${meant === null ? '' : `. Did you mean ${meant}?`}`;

/** One sentence for each key of the file that this version does not know. */
export function unknownKeys(keys: FlatKeys, product: string, file: string): string[] {
  const of = (key: string): string => key.replace('<product>', product);
  const known = new Map(settings().map(({ key }) => [relaxed(of(key)), of(key)]));
  const elsewhere = KNOWN_ELSEWHERE.map((key) => relaxed(of(key)));
  const isElsewhere = (key: string): boolean =>
    elsewhere.some((prefix) => key === prefix || key.startsWith(`${prefix}.`));
  const meant = (key: string): string | null => {
    const below = relaxed(`${product}.${key}`);
    if (known.has(below) || isElsewhere(below)) return `${product}.${key}`;
    return known.get(nearest(relaxed(key), known.keys(), TYPING_ERRORS) ?? '') ?? null;
  };
  return [...keys.keys()]
    .filter((key) => !known.has(relaxed(key)) && !isElsewhere(relaxed(key)))
    .map((key) => ignored(`${file}: ${key} is not a key of this version`, meant(key)));
}

/**
 * One sentence for each environment variable that looks like one of ours and is none. The environment belongs to other programs too: a name
 * without our prefix is told only when it is nearly one of ours, and that one is not there.
 */
export function unknownVariables(env: NodeJS.ProcessEnv, product: string): string[] {
  const of = (key: string): string => variableOf(key.replace('<product>', product));
  const known = new Set([
    ...settings().flatMap(({ key, env: short }) => [
      of(key),
      ...(short === undefined ? [] : [short]),
    ]),
    ...OTHER_VARIABLES,
  ]);
  const elsewhere = KNOWN_ELSEWHERE.map(of);
  const prefixes = [...new Set([product, PREFIX])].map((prefix) => `${variableOf(prefix)}_`);

  const meant = (name: string): string | null => {
    const upper = variableOf(name);
    const prefix = prefixes.find((each) => upper.startsWith(each));
    if (prefix === undefined)
      return nearest(
        name,
        [...known].filter((each) => !prefixes.some((ours) => each.startsWith(ours))),
        TYPING_ERRORS,
      );
    const rest = upper.slice(prefix.length);
    const own = `${prefixes[0] ?? ''}${rest}`;
    return [own, rest].find((each) => known.has(each)) ?? nearest(own, known, ERRORS_BEHIND_PREFIX);
  };
  return Object.entries(env)
    .filter(
      ([name, value = '']) =>
        value !== '' &&
        !known.has(name) &&
        !elsewhere.some((prefix) => name === prefix || name.startsWith(`${prefix}_`)),
    )
    .filter(([name, value = '']) => !isOfAnotherProgram(name, value, prefixes))
    .flatMap(([name]) => {
      const right = meant(name);
      const isOurs = prefixes.some((prefix) => variableOf(name).startsWith(prefix));
      if (!isOurs && (right === null || isAnotherWord(name, right) || (env[right] ?? '') !== ''))
        return [];
      return [ignored(`${name} in the environment is not a setting of this version`, right)];
    });
}

/**
 * Two letters in the place of two others make another word (`META_DIR`), and so does nearly everything where a name is short (`POST`,
 * `REPORT`, `HOME`): there the letters must be the same ones, with one more or less (`PROTS`).
 */
function isAnotherWord(name: string, right: string): boolean {
  const hasSameLetters = without(name, right) === '' || without(right, name) === '';
  if (right.length > SHORT) return !hasSameLetters && editDistance(name, right) > 1;
  return (
    !hasSameLetters ||
    name[0] !== right[0] ||
    Math.abs(name.length - right.length) > 1 ||
    /\d$/.test(name)
  );
}

/** What is left of one when each letter of the other is taken out once. */
const without = (one: string, other: string): string =>
  [...other].reduce((left, letter) => left.replace(letter, ''), one);

/** What Kubernetes and Docker tell every container of a service that is called as we are: `HYPHA_SERVICE_HOST`, `HYPHA_PORT_8080_TCP`. */
function isOfAnotherProgram(name: string, value: string, prefixes: readonly string[]): boolean {
  const rest = prefixes
    .filter((prefix) => name.startsWith(prefix))
    .map((prefix) => name.slice(prefix.length));
  return rest.some(
    (each) =>
      /^(SERVICE_(HOST|PORT)(_\w+)?|PORT_\d+_(TCP|UDP)(_\w+)?|NAME|ENV_\w+)$/.test(each) ||
      (each === 'PORT' && /^(tcp|udp):\/\//.test(value)),
  );
}
