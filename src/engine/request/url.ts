import { EngineError } from '../errors';
import type { Scope } from '../reference/scope';
import { sourceValue } from '../text/template';
import type { Source, Template } from '../text/template';
import { toText } from '../value';

/** Part of a URL. */
export type Zone = 'start' | 'authority' | 'path' | 'elsewhere';

const AUTHORITY = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;
/** A prefix that may continue with the authority; limited in length, as no scheme is that long. */
const BEFORE_AUTHORITY = /^[A-Za-z][A-Za-z0-9+.-]{0,100}(?::\/?)?$/;

/** Tracks in which part of a URL the next piece will be. Linear time. */
export class UrlPlace {
  zone: Zone = 'start';
  /** Start of the URL; null once it is known whether there is an authority. */
  private beginning: string | null = '';

  /** Continues after a piece. */
  pass(piece: string): void {
    if (piece === '') return;
    if (this.beginning !== null) this.begin(this.beginning + piece);
    else if (this.zone === 'authority' && /[/?#]/.test(piece)) this.zone = zoneBehind(piece);
    else if (this.zone === 'path') this.zone = zoneBehind(piece);
  }

  private begin(beginning: string): void {
    const authority = AUTHORITY.exec(beginning)?.[0];
    if (authority === undefined) this.zone = 'elsewhere';
    else this.zone = authority.length === beginning.length ? 'authority' : zoneBehind(beginning);
    this.beginning = authority === undefined && BEFORE_AUTHORITY.test(beginning) ? beginning : null;
  }
}

const zoneBehind = (piece: string): Zone => (/[?#]/.test(piece) ? 'elsewhere' : 'path');

/** Range of characters in a URL. */
interface Range {
  readonly start: number;
  readonly end: number;
}

const HOST_AND_PORT = /^[\p{L}\p{N}.\-_:[\]]*$/u;
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/**
 * Renders a URL and escapes each source for its position: a source at the start is the base URL and
 * stays unchanged, the host accepts only host characters, the rest is percent-encoded, so that data
 * cannot add parameters or path segments.
 * @throws EngineError REQUEST_URL_UNSAFE, REQUEST_URL_IS_EMPTY
 */
export function renderUrl(template: Template, scope: Scope): string {
  let url = '';
  const place = new UrlPlace();
  const fromData: Range[] = [];
  for (const piece of template) {
    const { zone } = place;
    const written =
      typeof piece === 'string' ? piece : escaped(zone, piece, toText(sourceValue(piece, scope)));
    const start = url.length;
    url += written;
    place.pass(written);
    if (
      typeof piece !== 'string' &&
      written !== '' &&
      (zone !== 'start' || piece.kind === 'secret')
    )
      fromData.push({ start, end: url.length });
  }
  if (url.trim() === '')
    throw new EngineError('REQUEST_URL_IS_EMPTY', 'The URL of the request is empty.');
  refuseDotSegments(url, fromData);
  return url.trim();
}

/** Named secrets are always encoded as data; they cannot be the base URL or host. */
function escaped(zone: Zone, source: Source, value: string): string {
  if (source.kind === 'secret') return percentEncoded(value);
  if (source.kind === 'given' && source.connectorId !== null) return valueOfConnector(zone, value);
  if (zone === 'start') return value;
  if (zone !== 'authority') return percentEncoded(value);
  if (HOST_AND_PORT.test(value)) return value;
  throw new EngineError(
    'REQUEST_URL_UNSAFE',
    'A value that became part of the host name holds characters no host name has.',
  );
}

/** A connector field may be a base URL with a path; later it cannot add segments or parameters. */
export function valueOfConnector(zone: Zone, value: string): string {
  if (zone === 'path') return value.split('/').map(percentEncoded).join('/');
  return zone === 'elsewhere' ? percentEncoded(value) : value;
}

const percentEncoded = (value: string): string => encodeURIComponent(value.toWellFormed());

/**
 * Rejects `..` from data, which would change the path even if percent-encoded.
 * @param fromData non-empty ranges in order
 */
function refuseDotSegments(url: string, fromData: readonly Range[]): void {
  const path = /^[^?#]*/.exec(url)?.[0] ?? '';
  let from = 0;
  let nth = 0;
  for (const segment of path.split('/')) {
    while (nth < fromData.length && fromData[nth].end <= from) nth += 1;
    if (nth === fromData.length) return;
    const isOfData = fromData[nth].start < from + segment.length;
    if (isOfData && DOT_SEGMENT.test(segment)) {
      throw new EngineError(
        'REQUEST_URL_UNSAFE',
        'A value that became part of the path would leave the path ("." or "..").',
      );
    }
    from += segment.length + 1;
  }
}
