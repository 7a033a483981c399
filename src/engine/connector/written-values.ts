import type { BodyNode } from '../request/body-tree';
import type { BodyTemplate } from '../request/body';
import type { RequestTemplate } from '../request/request';
import { toText } from '../value';
import type { Value } from '../value';
import { partsOf } from './answer-path';

/** A page parameter with its destination in the request, such as `request.url.$.after`. */
export interface WrittenValue {
  readonly ref: string;
  readonly value: Value;
}

const OF_REQUEST = /^request\.(url|header|body)\.(?:\$\.?)?(.+)$/s;
const NO_BODY: BodyTemplate = {
  format: 'json',
  data: 'raw',
  graphql: false,
  tree: { kind: 'map', fields: [] },
  empty: false,
};

/** Returns whether the path is a destination in a request. */
export const isPlaceInRequest = (ref: string | null): ref is string => OF_REQUEST.test(ref ?? '');

/** Returns the request with these values; for URL parameters see `withUrlValues`. */
export function withWrittenValues(
  request: RequestTemplate,
  values: readonly WrittenValue[],
): RequestTemplate {
  return values.reduce((before, { ref, value }) => {
    const [, part, path = ''] = OF_REQUEST.exec(ref) ?? [];
    if (part === 'header')
      return {
        ...before,
        headers: [
          ...before.headers.filter(({ name }) => name.toLowerCase() !== path.toLowerCase()),
          { name: path, value: [toText(value)] },
        ],
      };
    if (part !== 'body') return before;
    const body = before.body ?? NO_BODY;
    return {
      ...before,
      body: { ...body, empty: false, tree: withLiteral(body.tree, partsOf(path), value) },
    };
  }, request);
}

/** Sets URL parameters; leaves the rest of the URL unchanged. */
export function withUrlValues(url: string, values: readonly WrittenValue[]): string {
  return values.reduce((before, { ref, value }) => {
    const [, part, name = ''] = OF_REQUEST.exec(ref) ?? [];
    return part === 'url' ? withParameter(before, name, toText(value)) : before;
  }, url);
}

function withParameter(url: string, name: string, value: string): string {
  const [, address = '', query, rest = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  const written = [name, value].map((text) => encodeURIComponent(text.toWellFormed())).join('=');
  const others = (query ?? '')
    .split('&')
    .filter((each) => each !== '' && new URLSearchParams(each).keys().next().value !== name);
  return `${address}?${[...others, written].join('&')}${rest}`;
}

/** Replaces anything on the path that is not an object or list element by an object. */
function withLiteral(
  node: BodyNode | undefined,
  [part, ...rest]: readonly (string | number)[],
  value: Value,
): BodyNode {
  if (part === undefined) return { kind: 'literal', value };
  if (typeof part === 'number' && node?.kind === 'list')
    return {
      kind: 'list',
      items: node.items.map((item, at) => (at === part ? withLiteral(item, rest, value) : item)),
    };
  const fields = node?.kind === 'map' ? node.fields : [];
  const name = String(part);
  const inner = withLiteral(fields.find(([field]) => field === name)?.[1], rest, value);
  return {
    kind: 'map',
    fields: fields.some(([field]) => field === name)
      ? fields.map(([field, was]) => [field, field === name ? inner : was])
      : [...fields, [name, inner]],
  };
}
