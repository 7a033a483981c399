import { EngineError } from '../errors';
import type { Scope } from '../reference/scope';
import { sourceValue } from '../text/template';
import type { Source, Template } from '../text/template';
import { toText } from '../value';

/** Characters of a URL. */
interface Range { readonly start: number; readonly end: number }

export type Zone = 'start' | 'authority' | 'path' | 'elsewhere';

const AUTHORITY = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;
const HOST_AND_PORT = /^[\p{L}\p{N}.\-_:[\]]*$/u;
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/**
 * The URL with its sources filled in, each escaped for the place where it lands: a source at the very start is the base URL and stays as
 * it is, in the host only host characters are taken, everywhere else it is percent-encoded, so data cannot add parameters or path parts.
 * @throws EngineError REQUEST_URL_UNSAFE, REQUEST_URL_IS_EMPTY
 */
export function renderUrl(template: Template, scope: Scope): string {
  let url = '';
  const fromData: Range[] = [];
  for (const piece of template) {
    if (typeof piece === 'string') {
      url += piece;
      continue;
    }
    const zone = zoneAt(url);
    const start = url.length;
    url += escaped(zone, piece, toText(sourceValue(piece, scope)));
    if (zone !== 'start' || piece.kind === 'secret') fromData.push({ start, end: url.length });
  }
  if (url.trim() === '') throw new EngineError('REQUEST_URL_IS_EMPTY', 'The URL of the request is empty.');
  refuseDotSegments(url, fromData);
  return url.trim();
}

/** Where what is put behind this beginning of a URL would land. */
export function zoneAt(url: string): Zone {
  if (url === '') return 'start';
  const authority = AUTHORITY.exec(url)?.[0];
  if (authority === undefined) return 'elsewhere';
  if (authority.length === url.length) return 'authority';
  return /[?#]/.test(url) ? 'elsewhere' : 'path';
}

/** A named secret is data wherever it stands: of the base URL or the host it is no part. */
function escaped(zone: Zone, source: Source, value: string): string {
  if (source.kind === 'secret') return percentEncoded(value);
  if (source.kind === 'given' && source.connectorId !== null) return ofConnector(zone, value);
  if (zone === 'start') return value;
  if (zone !== 'authority') return percentEncoded(value);
  if (HOST_AND_PORT.test(value)) return value;
  throw new EngineError('REQUEST_URL_UNSAFE', 'A value that became part of the host name holds characters no host name has.');
}

/** What somebody set up as the address of a system is one: only behind its path it can add nothing. */
function ofConnector(zone: Zone, value: string): string {
  if (zone === 'path') return value.split('/').map(percentEncoded).join('/');
  return zone === 'elsewhere' ? percentEncoded(value) : value;
}

const percentEncoded = (value: string): string => encodeURIComponent(value.toWellFormed());

/** A value of ".." would climb to another path, and percent-encoding does not stop that. */
function refuseDotSegments(url: string, fromData: readonly Range[]): void {
  const path = /^[^?#]*/.exec(url)?.[0] ?? '';
  if (!fromData.some(({ start }) => start < path.length)) return;
  let from = 0;
  for (const segment of path.split('/')) {
    const isOfData = ({ start, end }: Range): boolean => start < from + segment.length && end > Math.max(from, start);
    if (DOT_SEGMENT.test(segment) && fromData.some(isOfData)) {
      throw new EngineError('REQUEST_URL_UNSAFE', 'A value that became part of the path would leave the path ("." or "..").');
    }
    from += segment.length + 1;
  }
}
