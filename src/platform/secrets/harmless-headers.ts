/**
 * Headers that only describe the format of a message, in lower case. Any other header may contain a
 * secret, so only these are sent to other origins, and only their values are shown to all users.
 */
export const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-type',
  'odata-maxversion',
  'odata-version',
  'pragma',
  'prefer',
  'range',
  'soapaction',
  'user-agent',
  'x-requested-with',
]);

/** Case-insensitive. */
export const isHarmlessHeader = (name: string): boolean => HARMLESS_HEADERS.has(name.toLowerCase());
