/** Authentication schemes before credentials in a header, in lower case. */
const CREDENTIAL_SCHEMES = [
  'api-key',
  'api-token',
  'apikey',
  'apitoken',
  'basic',
  'bearer',
  'digest',
  'geniekey',
  'negotiate',
  'oauth',
  'splunk',
  'ssws',
  'token',
  'zoho-oauthtoken',
];

/** Scheme at the start of a value, including the blanks after it. */
const SCHEME = new RegExp(`^(?:${CREDENTIAL_SCHEMES.join('|')}) +(?=\\S)`, 'i');

/** Returns `Bearer ` for `Bearer abc`; empty if the value starts with no scheme. */
export const schemeOf = (value: string): string => SCHEME.exec(value)?.[0] ?? '';
