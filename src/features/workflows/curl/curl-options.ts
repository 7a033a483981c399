/** What an option of cURL does. `ignored` options do not change the request of a step. */
export type CurlAction =
  | 'method'
  | 'header'
  | 'data'
  | 'dataRaw'
  | 'dataEncoded'
  | 'json'
  | 'get'
  | 'head'
  | 'user'
  | 'bearer'
  | 'form'
  | 'formText'
  | 'cookie'
  | 'agent'
  | 'referer'
  | 'url'
  | 'insecure'
  | 'ignored'
  | 'unsupported';

interface CurlOption {
  readonly action: CurlAction;
  readonly takesValue: boolean;
}

const withValue = (action: CurlAction): CurlOption => ({ action, takesValue: true });
const flag = (action: CurlAction): CurlOption => ({ action, takesValue: false });
const all = (names: string, option: CurlOption): [string, CurlOption][] =>
  names.split(' ').map((name) => [name, option]);

/** Options by their names: one letter, or the long name. */
const OPTIONS = new Map<string, CurlOption>([
  ...all('X request', withValue('method')),
  ...all('H header', withValue('header')),
  ...all('d data data-ascii data-binary', withValue('data')),
  ['data-raw', withValue('dataRaw')],
  ['data-urlencode', withValue('dataEncoded')],
  ['json', withValue('json')],
  ...all('G get', flag('get')),
  ...all('I head', flag('head')),
  ...all('u user', withValue('user')),
  ['oauth2-bearer', withValue('bearer')],
  ...all('F form', withValue('form')),
  ['form-string', withValue('formText')],
  ...all('b cookie', withValue('cookie')),
  ...all('A user-agent', withValue('agent')),
  ...all('e referer', withValue('referer')),
  ['url', withValue('url')],
  ...all('k insecure', flag('insecure')),
  ...all(
    'L location compressed s silent S show-error v verbose i include f fail fail-with-body # progress-bar N no-buffer g globoff basic http1.0 0 http1.1 http2 http3 4 ipv4 6 ipv6 no-progress-meter path-as-is no-keepalive',
    flag('ignored'),
  ),
  ...all(
    'o output w write-out m max-time connect-timeout retry retry-delay max-redirs D dump-header c cookie-jar',
    withValue('ignored'),
  ),
  ...all(
    'x proxy U proxy-user E cert cert-type key key-type cacert capath resolve connect-to interface T upload-file K config r range Y y z P Q t C pass ciphers noproxy aws-sigv4 unix-socket dns-servers tls-max limit-rate',
    withValue('unsupported'),
  ),
]);

const UNKNOWN = flag('unsupported');

export const curlOption = (name: string): CurlOption =>
  OPTIONS.get(name) ?? (name.startsWith('no-') ? flag('ignored') : UNKNOWN);
