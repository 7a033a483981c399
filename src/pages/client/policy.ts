import { createHash } from 'node:crypto';

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const STYLESHEET = /<link\b([^>]*\brel\s*=\s*["']?stylesheet\b[^>]*)>/gi;

/** What the page of a built client contains, as far as its security policy must allow it. */
export interface PageSources {
  /** `'sha256-…'` of inline scripts, and origins of others. */
  readonly scripts: readonly string[];
  /** Origins of style sheets. */
  readonly styles: readonly string[];
}

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i')
    .exec(attributes)
    ?.slice(1)
    .find((value) => value !== undefined);

/** Returns the origin of an address of another host; undefined for the page's own files. */
function foreignOrigin(address: string | undefined): string[] {
  const absolute = address?.startsWith('//') === true ? `https:${address}` : address;
  if (absolute === undefined || !/^https?:\/\//i.test(absolute) || !URL.canParse(absolute))
    return [];
  return [new URL(absolute).origin];
}

/** Browsers hash the text with the line ends of HTML. */
const hashOf = (script: string): string =>
  `'sha256-${createHash('sha256').update(script.replaceAll(/\r\n?/g, '\n')).digest('base64')}'`;

export function sourcesOf(html: string): PageSources {
  const scripts = [...html.matchAll(SCRIPT)].flatMap(([, attributes = '', text = '']) => {
    const source = attribute(attributes, 'src');
    return source === undefined ? [hashOf(text)] : foreignOrigin(source);
  });
  const styles = [...html.matchAll(STYLESHEET)].flatMap(([, attributes = '']) =>
    foreignOrigin(attribute(attributes, 'href')),
  );
  return { scripts: [...new Set(scripts)], styles: [...new Set(styles)] };
}

/**
 * Returns the content security policy of a built client. It may call every port of the host that
 * serves it, since the port of the 4.x client is fixed.
 * @param origins of the page, and of the addresses that it was configured with
 */
export function policyOf({ scripts, styles }: PageSources, origins: readonly string[]): string {
  const hosts = origins.flatMap((origin) => {
    const { protocol, hostname } = new URL(origin);
    return [`${protocol}//${hostname}:*`, `${protocol.replace('http', 'ws')}//${hostname}:*`];
  });
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    ["style-src 'self' 'unsafe-inline'", ...styles].join(' '),
    "img-src 'self' data: blob: https:",
    "font-src 'self' data: https:",
    ["connect-src 'self'", ...new Set(hosts)].join(' '),
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';');
}
