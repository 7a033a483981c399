import fc from 'fast-check';
import { normalOrigin, takesOrigin } from '../../src/platform/secrets';
import { rounds } from '../support/rounds';

/** An address in parts, independent of the code under test. */
interface Place {
  readonly scheme: 'http' | 'https';
  readonly labels: readonly string[];
  readonly port: number | null;
}

const label = fc.constantFrom('a', 'b', 'api', 'example', 'com', 'xn--bcher-kva', 'x-y', 'a_b');
const place: fc.Arbitrary<Place> = fc.record({
  scheme: fc.constantFrom('http' as const, 'https' as const),
  labels: fc.array(label, { minLength: 1, maxLength: 4 }),
  port: fc.constantFrom(null, 80, 443, 8080, 8443),
});
const shouting = fc.boolean();
const portOf = ({ scheme, port }: Place): number => port ?? (scheme === 'http' ? 80 : 443);
const written = ({ scheme, labels, port }: Place, prefix: string, loud: boolean): string => {
  const text = `${scheme}://${prefix}${labels.join('.')}${port === null ? '' : `:${port}`}`;
  return loud ? text.toUpperCase() : text;
};
/** Reference model: the same scheme and port, and the same labels, or a subdomain for a `*`. */
function modelTakes(origin: Place, isWildcard: boolean, target: Place): boolean {
  if (origin.scheme !== target.scheme || portOf(origin) !== portOf(target)) return false;
  const above = target.labels.length - origin.labels.length;
  if (isWildcard ? above < 1 : above !== 0) return false;
  return origin.labels.every((one, at) => one === target.labels[at + above]);
}

describe('an origin', () => {
  it('matches the same targets as the reference model, in any notation', () => {
    let matchCount = 0;
    fc.assert(
      fc.property(
        place,
        fc.boolean(),
        fc.option(fc.array(label, { maxLength: 2 })),
        place,
        shouting,
        shouting,
        fc.constantFrom('', '/', '/a/../b?x=1#y', '?q'),
        (origin, isWildcard, below, other, loud, loudUrl, rest) => {
          // Half of the targets are the origin or its subdomains.
          const target =
            below === null ? other : { ...origin, labels: [...below, ...origin.labels] };
          const normal = normalOrigin(written(origin, isWildcard ? '*.' : '', loud));
          const takes = takesOrigin(
            normal ?? 'none',
            new URL(`${written(target, '', loudUrl)}${rest}`),
          );
          expect(takes).toBe(modelTakes(origin, isWildcard, target));
          matchCount += takes ? 1 : 0;
        },
      ),
      { numRuns: rounds(2_000) },
    );
    expect(matchCount).toBeGreaterThan(rounds(250));
  });

  it('is unchanged when normalised again', () => {
    fc.assert(
      fc.property(place, fc.boolean(), shouting, (origin, isWildcard, loud) => {
        const normal = normalOrigin(written(origin, isWildcard ? '*.' : '', loud)) ?? '';
        expect(normalOrigin(normal)).toBe(normal);
      }),
    );
  });

  it.each([
    ['HTTPS://API.Example.COM', 'https://api.example.com'],
    ['https://api.example.com:443', 'https://api.example.com'],
    ['http://api.example.com:80', 'http://api.example.com'],
    ['https://api.example.com:80', 'https://api.example.com:80'],
    ['https://api.example.com:08443', 'https://api.example.com:8443'],
    [' https://a.b ', 'https://a.b'],
    ['https://*.Example.com:8443', 'https://*.example.com:8443'],
    ['https://*.com', 'https://*.com'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://*.BÜCHER.example', 'https://*.xn--bcher-kva.example'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://127.1', 'http://127.0.0.1'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['http://[0:0:0:0:0:0:0:1]:80', 'http://[::1]'],
    ['http://[::FFFF:1.2.3.4]', 'http://[::ffff:102:304]'],
    ['http://localhost:9', 'http://localhost:9'],
  ])('normalises %s to %s', (text, normal) => {
    expect(normalOrigin(text)).toBe(normal);
  });

  it.each([
    '',
    'example.com',
    '//example.com',
    'ftp://example.com',
    'https://',
    'https://*',
    'https://*.',
    'https://*example.com',
    'https://a.*.com',
    'https://*.*.com',
    'https://%2a.example.com',
    'https://example.com/',
    'https://example.com/path',
    'https://example.com?x',
    'https://example.com#x',
    'https://example.com\\',
    'https://user@example.com',
    'https://u:p@example.com',
    'https://@example.com',
    'https://exa mple.com',
    'https://example.com\nhttps://evil.com',
    'https://exam\tple.com',
    'https://example.com:',
    'https://example.com:65536',
    'https://example.com:x',
    'https://a..b',
    'https://.a',
    'https://a.',
    'https://*.127.0.0.1',
    'https://*.[::1]',
    'https://*.1',
    'https://[::1',
    'https://[zz]',
    'https://1.2.3.4.5',
    'javascript:alert(1)',
    'https:example.com',
    'null',
    '*',
    `https://${'a'.repeat(300)}.com`,
    'https://xn--a.example',
  ])('cannot be %j', (text) => {
    expect(normalOrigin(text)).toBeNull();
  });

  it.each([
    ['https://example.com', 'https://example.com.evil.com/'],
    ['https://example.com', 'https://example.com@evil.com/'],
    ['https://example.com', 'https://evil.com\\@example.com/'],
    ['https://example.com', 'https://evil.com/https://example.com'],
    ['https://*.example.com', 'https://example.com/'],
    ['https://*.example.com', 'https://evilexample.com/'],
    ['https://*.example.com', 'https://.example.com/'],
    ['https://*.example.com', 'https://a.example.com./'],
    ['https://*.example.com', 'http://a.example.com/'],
    ['https://*.example.com', 'https://a.example.com:8443/'],
    ['https://example.com', 'https://a.example.com/'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:2/'],
  ])('%s does not match %s', (origin, url) => {
    expect(normalOrigin(origin)).toBe(origin);
    expect(takesOrigin(origin, new URL(url))).toBe(false);
  });

  it.each([
    ['https://example.com', 'https://u:p@EXAMPLE.com:443/x?y#z'],
    ['https://*.example.com', 'https://a.b.c.example.com/'],
    ['https://xn--bcher-kva.example', 'https://BÜCHER.example/'],
    ['http://127.0.0.1', 'http://0x7f.1/'],
    ['http://[::1]', 'http://[0::1]:80/'],
  ])('%s matches %s', (origin, url) => {
    expect(takesOrigin(origin, new URL(url))).toBe(true);
  });

  it('is rejected above the length limit', () => {
    for (const piece of ['a', 'a.', '*.', '-', '[', '::', '1.', '%', 'ü', '.'])
      expect(normalOrigin(`https://${piece.repeat(200_000)}/`)).toBeNull();
  });
});
