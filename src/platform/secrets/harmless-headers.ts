/**
 * The headers that say nothing but in which form something is sent or wanted. Every other header may carry a secret whatever it is called,
 * so only these go to another origin, and only their values are shown to everybody. In lower case.
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

/** Without regard to case. */
export const isHarmlessHeader = (name: string): boolean => HARMLESS_HEADERS.has(name.toLowerCase());
