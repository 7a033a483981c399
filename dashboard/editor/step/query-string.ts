import { findReferences } from '../fields/references';
import type { NamedValue } from './field-rows';

/** An address without its query, and the parts of the query. */
export interface Address {
  readonly base: string;
  readonly parameters: readonly NamedValue[];
}

/** Returns the position of a character outside of references, or -1. */
function positionOf(text: string, character: string, from = 0): number {
  const references = findReferences(text);
  for (let at = text.indexOf(character, from); at >= 0; at = text.indexOf(character, at + 1)) {
    const inside = references.some((reference) => at >= reference.from && at < reference.to);
    if (!inside) return at;
  }
  return -1;
}

function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = positionOf(text, separator); at >= 0; at = positionOf(text, separator, start)) {
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

/** Applies a function to the text between references. */
function betweenReferences(text: string, change: (part: string) => string): string {
  let changed = '';
  let at = 0;
  for (const { from, to } of findReferences(text)) {
    changed += change(text.slice(at, from)) + text.slice(from, to);
    at = to;
  }
  return changed + change(text.slice(at));
}

function decode(text: string): string {
  return betweenReferences(text, (part) => {
    try {
      return decodeURIComponent(part.replaceAll('+', ' '));
    } catch {
      return part;
    }
  });
}

const encode = (text: string): string =>
  betweenReferences(text, (part) =>
    // Braces name fields of connectors and webhook parameters.
    encodeURIComponent(part).replace(/%(?:7B|7D|24|3A|2C|2F|40)/g, decodeURIComponent),
  );

/** Splits an address into its base and the parameters of its query. */
export function parseAddress(endpoint: string): Address {
  const at = positionOf(endpoint, '?');
  if (at < 0) return { base: endpoint, parameters: [] };
  const parameters = split(endpoint.slice(at + 1), '&').filter((part) => part !== '');
  return {
    base: endpoint.slice(0, at),
    parameters: parameters.map((part) => {
      const equals = positionOf(part, '=');
      return equals < 0
        ? [decode(part), '']
        : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
    }),
  };
}

/** Returns the address of a base and parameters. */
export function formatAddress({ base, parameters }: Address): string {
  const query = parameters
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join('&');
  return query === '' ? base : `${base}?${query}`;
}
