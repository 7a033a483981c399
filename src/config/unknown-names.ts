import { KnownKeys } from './known-keys';
import { KNOWN_ELSEWHERE, SETTINGS } from './settings';
import { OWN_PREFIX, relaxed, variableOf, variablesOf } from './setting';
import type { FlatKeys } from './setting';
import type { Setting } from './settings';

/**
 * Returns the number of inserted, deleted, replaced or swapped adjacent letters between two names
 * (optimal string alignment). Own code, because the libraries that support swapped letters are
 * unmaintained.
 */
export function editDistance(one: string, other: string): number {
  // The last rows of the table: costs of turning the first `column` letters of `other` into the
  // first `row` letters of `one`.
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

/** Returns the closest candidate within `max` edits, the first of several, or null. */
function findNearest(name: string, candidates: Iterable<string>, max: number): string | null {
  let [nearest, least] = [null as string | null, max];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > least) continue;
    const distance = editDistance(name, candidate);
    if (distance < least || (distance === least && nearest === null))
      [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** Environment variables that are not settings. */
const OTHER_VARIABLES = ['NODE_ENV', 'CONFIG_FILE', 'PRODUCT_PREFIX', 'HYPHA_GRAPHQL_PLUGINS'];
/** Maximum edits between a name and the intended one. */
const MAX_TYPOS = 2;
/** Names with our prefix are certainly for us, so they may differ more. */
const MAX_TYPOS_AFTER_PREFIX = 4;
/** Names up to this length resemble many words. */
const SHORT_LENGTH = 5;

const settings = (): readonly Setting<unknown>[] => Object.values(SETTINGS);
const ignored = (problem: string, intended: string | null): string =>
  `${problem}; it is ignored${intended === null ? '' : `. Did you mean ${intended}?`}`;

/** Returns a warning for each unknown key of the file. */
export function unknownKeys(keys: FlatKeys, product: string, file: string): string[] {
  const knownKeys = new KnownKeys(product);
  const { settings: names } = knownKeys;
  const intendedName = (key: string): string | null => {
    const below = `${product}.${key}`;
    if (names.has(relaxed(below)) || knownKeys.isElsewhere(below)) return below;
    return names.get(findNearest(relaxed(key), names.keys(), MAX_TYPOS) ?? '') ?? null;
  };
  return [...keys.keys()]
    .filter((key) => !knownKeys.isSetting(key) && !knownKeys.isElsewhere(key))
    .map((key) => ignored(`${file}: ${key} is not a key of this version`, intendedName(key)));
}

/**
 * Returns a warning for each environment variable that looks like a mistyped setting. Other
 * programs use the environment as well: names without our prefix are reported only if they nearly
 * match a setting that is not set.
 */
export function unknownVariables(env: NodeJS.ProcessEnv, product: string): string[] {
  const of = (key: string): string[] => variablesOf(key, product);
  const variables = new Set([
    ...settings().flatMap(({ key, env: short }) => [
      ...of(key),
      ...(short === undefined ? [] : [short]),
    ]),
    ...OTHER_VARIABLES,
  ]);
  const elsewhere = KNOWN_ELSEWHERE.flatMap(of);
  const prefixes = [...new Set([product, OWN_PREFIX])].map((prefix) => `${variableOf(prefix)}_`);

  const intendedName = (name: string): string | null => {
    const upper = variableOf(name);
    const prefix = prefixes.find((each) => upper.startsWith(each));
    if (prefix === undefined)
      return findNearest(
        name,
        [...variables].filter((each) => !prefixes.some((ours) => each.startsWith(ours))),
        MAX_TYPOS,
      );
    const rest = upper.slice(prefix.length);
    const own = `${prefixes[0] ?? ''}${rest}`;
    return (
      [own, rest].find((each) => variables.has(each)) ??
      findNearest(own, variables, MAX_TYPOS_AFTER_PREFIX)
    );
  };
  return Object.entries(env)
    .filter(
      ([name, value = '']) =>
        value !== '' &&
        !variables.has(name) &&
        !elsewhere.some((prefix) => name === prefix || name.startsWith(`${prefix}_`)),
    )
    .filter(([name, value = '']) => !isOfAnotherProgram(name, value, prefixes))
    .flatMap(([name]) => {
      const right = intendedName(name);
      const isOurs = prefixes.some((prefix) => variableOf(name).startsWith(prefix));
      if (!isOurs && (right === null || isAnotherWord(name, right) || (env[right] ?? '') !== ''))
        return [];
      return [ignored(`${name} in the environment is not a setting of this version`, right)];
    });
}

/**
 * Two replaced letters make another word (`META_DIR`), and short names resemble many words (`POST`,
 * `REPORT`, `HOME`). So short names must have the same letters, with one more or less (`PROTS`).
 */
function isAnotherWord(name: string, right: string): boolean {
  const hasSameLetters = without(name, right) === '' || without(right, name) === '';
  if (right.length > SHORT_LENGTH) return !hasSameLetters && editDistance(name, right) > 1;
  return (
    !hasSameLetters ||
    name[0] !== right[0] ||
    Math.abs(name.length - right.length) > 1 ||
    /\d$/.test(name)
  );
}

/** Returns `one` without the letters of `other`, each removed once. */
const without = (one: string, other: string): string =>
  [...other].reduce((left, letter) => left.replace(letter, ''), one);

/**
 * Returns whether Kubernetes or Docker set the variable for a service with our name:
 * `HYPHA_SERVICE_HOST`, `HYPHA_PORT_8080_TCP`.
 */
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
