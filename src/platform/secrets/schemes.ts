/** What stands before credentials in a header and says of what kind they are. In lower case. */
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

/** The scheme at the beginning of a value, with the blanks behind it. */
const SCHEME = new RegExp(`^(?:${CREDENTIAL_SCHEMES.join('|')}) +(?=\\S)`, 'i');

/** `Bearer ` of `Bearer abc`; empty when the value begins with no scheme. */
export const schemeOf = (value: string): string => SCHEME.exec(value)?.[0] ?? '';
