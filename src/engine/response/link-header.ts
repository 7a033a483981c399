/** One link of a `Link` header (RFC 8288) with its parameters. */
const LINK =
  /<([^<>]*)>((?:\s*;\s*[\w!#$&+\-.^`|~*%]+(?:\s*=(?:\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)?)*)/g;
/** One parameter, which may be quoted and then contain commas and semicolons. */
const PARAMETER = /;\s*([\w!#$&+\-.^`|~*%]+)(?:\s*=(?:\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+)))?)?/g;

/**
 * Returns the target of the `next` link of a `Link` header, null if there is none; a text without
 * links unchanged.
 */
export function nextLink(header: string): string | null {
  const links = [...header.matchAll(LINK)];
  if (links.length === 0) return header;
  return links.find(([, , parameters]) => isNext(parameters))?.[1] ?? null;
}

/** The relation of a link is its first `rel`: one or more words. */
function isNext(parameters: string): boolean {
  const rel = [...parameters.matchAll(PARAMETER)].find(([, name]) => name.toLowerCase() === 'rel');
  const [, , quoted, plain] = rel ?? [];
  return (quoted ?? plain ?? '').toLowerCase().split(/\s+/).includes('next');
}
