import type { GraphQLFormattedError } from 'graphql';

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLFormattedError[];
}

/**
 * Compares an answer with that of graphql-js, both JSON text, and describes the first difference.
 * The data must have the same bytes, and the errors the same content in any order. Below a null
 * that an error caused, graphql-js reports one error or several, depending on what settles first:
 * there, errors at the same path must be equal, and each null needs an error.
 */
export function answerDifference(expected: string, actual: string): string | undefined {
  const right = JSON.parse(expected) as Answer;
  const answer = JSON.parse(actual) as Answer;
  const start = expected.startsWith('{"data"') ? `{"data":${JSON.stringify(right.data)}` : '{';
  if (!actual.startsWith(start) || 'data' in answer !== 'data' in right) {
    return `data: ${actual.slice(0, 2_000)} instead of ${expected.slice(0, 2_000)}`;
  }
  if (!right.errors && actual !== expected) return `${actual} instead of ${expected}`;
  const reached = [right, answer].map((one) => sorted(one, (place) => place === undefined));
  if (reached[0] !== reached[1]) return `errors: ${reached[1]} instead of ${reached[0]}`;
  return hiddenDifference(right, answer) ?? hiddenDifference(answer, right);
}

function sorted({ data, errors = [] }: Answer, isIncluded: (place?: string) => boolean): string {
  const texts = errors.filter((error) => isIncluded(nullAbove(data, error))).map(content);
  return (data === undefined ? texts : texts.toSorted()).join('\n');
}

const content = ({ message, locations, path, extensions }: GraphQLFormattedError): string =>
  JSON.stringify({ path, message, locations, extensions });

/** The path of the null in the data above the place of an error. */
function nullAbove(data: unknown, { path = [] }: GraphQLFormattedError): string | undefined {
  let at: any = data;
  for (const [index, key] of path.entries()) {
    if (at === null) return JSON.stringify(path.slice(0, index));
    at = at?.[key];
  }
  return undefined;
}

/** What `other` lacks of the errors of `one` below nulls. */
function hiddenDifference(one: Answer, other: Answer): string | undefined {
  const places = (other.errors ?? []).map(
    (error) => nullAbove(other.data, error) ?? JSON.stringify(error.path),
  );
  for (const error of one.errors ?? []) {
    const place = nullAbove(one.data, error);
    if (place === undefined) continue;
    if (!places.includes(place)) return `no error for the null at ${place}`;
    const same = (other.errors ?? []).filter((peer) => String(peer.path) === String(error.path));
    if (same.length > 0 && !same.some((peer) => content(peer) === content(error))) {
      return `errors: ${content(same[0])} and ${content(error)}`;
    }
  }
  return undefined;
}
