import fc from 'fast-check';
import { validateWorkflowSteps } from '../../../src/engine';
import { filled } from '../../../src/engine/connector/text-template';
import { QueryWriter } from '../../../src/engine/request/graphql-query';
import { UrlPlace } from '../../../src/engine/request/url';
import { httpStep, workflow } from '../support/run';
import { longIt } from '../../support/long';

/* Checks the URL part in which a value is inserted, for texts in any number of pieces. */

const MANY = 200_000;

/** RFC 3986, 3: a scheme, an authority that ends with `/`, `?` or `#`, a path that ends with `?` or `#`. */
function zoneBehind(url: string): string {
  if (url === '') return 'start';
  const [, rest] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(url) ?? [];
  if (rest === undefined) return 'elsewhere';
  if (rest === '') return 'authority';
  return /[?#]/.test(rest) ? 'elsewhere' : 'path';
}

longIt('the URL part of a position depends only on the preceding text, however it is split', () => {
  const piece = fc
    .array(
      fc.constantFrom(
        'h',
        'http',
        ':',
        '/',
        '//',
        '://',
        '?',
        '#',
        '@',
        '.',
        '\\',
        '%2F',
        ' ',
        '\n',
        'ü',
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const place = new UrlPlace();
      let url = '';
      for (const one of pieces) {
        place.pass(one);
        url += one;
        expect([url, place.zone]).toEqual([url, zoneBehind(url)]);
      }
    }),
    { numRuns: 2_000 },
  );
});

it.each(['h', 'http', 'http://', 'http://h/', 'http://h/?', '?'])(
  'hundreds of thousands of pieces after %s are each read once',
  (beginning) => {
    const place = new UrlPlace();
    place.pass(beginning);
    const { zone } = place;
    for (let nth = 0; nth < MANY; nth += 1) place.pass('x');
    expect(place.zone).toBe(zone);
  },
);

it('hundreds of thousands of query fields are filled in, each in its own string', async () => {
  const query = `query { said(by: "${'{name}, '.repeat(MANY)}{unknown}") }`;
  const sent = await filled(
    query,
    async (name) => (name === 'name' ? '"' : undefined),
    new QueryWriter(),
  );
  expect(sent).toBe(`query { said(by: "${'\\", '.repeat(MANY)}{unknown}") }`);
});

describe('a secret in the host of a URL', () => {
  const MARK = '{%secret.A%}';
  const isReported = (endpoint: string): boolean =>
    validateWorkflowSteps(workflow(httpStep('0', endpoint))).some(
      ({ code }) => code === 'SECRET_NOT_ALLOWED_HERE',
    );

  it.each([
    [MARK, true],
    [`${MARK}/a`, true],
    [`https://${MARK}`, true],
    [`https://${MARK}/a@b`, true],
    [`https://a.${MARK}:80/`, true],
    [`https://${MARK}\\u@h/`, true],
    [`https://u@${MARK}/`, true],
    [`https://u:${MARK}@${MARK}/`, true],
    [`https://u:${MARK}@h/${MARK}`, false],
    [`https://${MARK}:${MARK}@h/`, false],
    [`https://${MARK}${MARK}@h`, false],
    [`https://h/${MARK}`, false],
    [`https://h?${MARK}`, false],
    [`/a/${MARK}@`, false],
  ])('is reported for %s: %s', (endpoint, expected) => expect(isReported(endpoint)).toBe(expected));

  longIt('is searched once for any number of references', () => {
    expect(isReported(`https://h/${MARK.repeat(MANY)}`)).toBe(false);
    expect(isReported(`https://${`${MARK}a`.repeat(MANY)}@h/`)).toBe(false);
  });
});
