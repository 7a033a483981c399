import fc from 'fast-check';
import { Redactor, RuleMask } from '../../src/platform/redaction';
import type { MaskingRule } from '../../src/platform/redaction';
import { rounds } from '../support/rounds';

const mask = (type: MaskingRule['type'], ...expressions: string[]): RuleMask =>
  new RuleMask(expressions.map((expression) => ({ type, expression })));
const inBody = (rules: RuleMask, text: string, contentType = '', isCut = false): string =>
  rules.body({ text, contentType, isCut });

describe('a pattern', () => {
  it('masks its matches at any position, including overlapping ones', () => {
    expect(mask('regex', 'token=[^&]+').text('https://a.test/?token=abc&b=1&token=x')).toBe(
      'https://a.test/?***&b=1&***',
    );
    expect(mask('regex', 'abc', 'bcd').text('0abcd1')).toBe('0***1');
    expect(mask('regex', 'abcd', 'bc').text('0abcd1')).toBe('0***1');
    expect(mask('regex', 'x*y?').text('axb')).toBe('a***b');
    expect(inBody(mask('regex', '\\d{4}'), '{"a":"1234","b":12345}')).toBe('{"a":"***","b":***5}');
    expect(mask('regex').text('a')).toBe('a');
  });

  it('masks the end of a truncated text, where a match may continue', () => {
    const text = `${'a'.repeat(1_000)}4111`;
    expect(inBody(mask('regex', '\\d{16}'), text, 'text/plain', true)).toBe(
      `${'a'.repeat(748)}***`,
    );
    expect(mask('regex', '\\d{16}').text('4111', true)).toBe('***');
  });

  it.each([
    ['http://h.test/?m=bob%40x.de&b=1', 'http://h.test/?m=***&b=1'],
    ['email=a+b&m=bob%40x.de', 'email=a+b&m=***'],
    ['n=Ada+L%C3%B6velace&b=%20', 'n=***&b=%20'],
    ['n=Ada%20L%c3%b6velace', 'n=***'],
    ['n=Ada+L%F6velace', 'n=***'],
    ['{"m":"\\u0062ob\\u0040x.de","n":"\\u0041da L\\u00f6velace\\n"}', '{"m":"***","n":"***\\n"}'],
    ['<m>bob&#64;x.de</m><n>Ada&#x20;L&#xf6;velace&amp;</n>', '<m>***</m><n>***&amp;</n>'],
    [
      'u=http%3A%2F%2Fh.test%2F%3Fm%3Dbob%2540x.de%26n%3DAda%2BL%25C3%25B6velace',
      'u=http%3A%2F%2Fh.test%2F%3Fm%3D***%26n%3D***',
    ],
    ['j=%7B%22m%22%3A%22bob%5Cu0040x.de%22%7D', 'j=%7B%22m%22%3A%22***%22%7D'],
    ['k=%f0%9f%94%91!', 'k=***'],
    [
      '50 % of a+b, %zz %C3( %ed%a0%80 \\u00 &#x110000; &copy;',
      '50 % of a+b, %zz %C3( %ed%a0%80 \\u00 &#x110000; &copy;',
    ],
  ])('masks its matches in any encoding, and nothing else: %s', (text, hidden) => {
    const rules = mask('regex', '[a-z]+@x\\.de', 'Ada Lövelace', '\u{1f511}!');
    expect([rules.text(text), inBody(rules, text)]).toEqual([hidden, hidden]);
  });

  it('leaves nothing of its matches under up to three nested encodings', () => {
    const encodings: Readonly<Record<string, (text: string) => string>> = {
      url: encodeURIComponent,
      form: (text) => new URLSearchParams([['', text]]).toString().slice(1),
      json: (text) => JSON.stringify(text),
      ascii: (text) =>
        [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
      xml: (text) =>
        text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    };
    const around = fc.string({
      unit: fc.constantFrom(
        'a',
        ' ',
        '%',
        '+',
        '\\',
        '"',
        '&',
        ';',
        'é',
        '\u{1f511}',
        '%41',
        '&amp;',
      ),
    });
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...Object.keys(encodings)), { maxLength: 3 }),
        around,
        around,
        (names, before, after) => {
          const encoded = (text: string): string =>
            names.reduce((inner, name) => encodings[name]?.(inner) ?? inner, text);
          // A letter of the match may remain only where it is not masked, in any encoding.
          const hidden = mask('regex', '<Q& "Q>').text(
            encoded(`${before.replace(/\\$/, '')}[<Q& "Q>]${after}`),
          );
          expect(hidden).toContain('***');
          expect(hidden).not.toMatch(names.includes('ascii') ? /0051/ : /Q/);
        },
      ),
      { numRuns: rounds(2_000) },
    );
  });

  it('masks a value in every encoding in which the scan for secrets masks it', () => {
    const encodings: Readonly<Record<string, (text: string) => string>> = {
      plain: (text) => text,
      percent: encodeURIComponent,
      bytes: (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
      form: (text) => new URLSearchParams([['', text]]).toString().slice(1),
      json: (text) => JSON.stringify(text).slice(1, -1),
      xml: (text) =>
        text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
      entities: (text) =>
        [...text].map((each) => `&#x${each.codePointAt(0)?.toString(16)};`).join(''),
    };
    const all: Readonly<Record<string, (text: string) => string>> = {
      ...encodings,
      latin1: (text) => Buffer.from(text).toString('latin1'),
      base64: (text) => Buffer.from(text).toString('base64'),
      base64url: (text) => Buffer.from(text).toString('base64url'),
      'base64 in lines': (text) => Buffer.from(text).toString('base64').replace(/.{20}/g, '$&\r\n'),
      hex: (text) => Buffer.from(text).toString('hex'),
    };
    const unit = fc.constantFrom(
      'a',
      'Z',
      '7',
      ' ',
      '%',
      '\\',
      '"',
      '&',
      ';',
      '<',
      '/',
      'é',
      '\u{1f511}',
    );
    const step = fc.constantFrom(...Object.keys(encodings));
    fc.assert(
      fc.property(
        fc.string({ unit, minLength: 12, maxLength: 30 }),
        fc.string({ unit, maxLength: 5 }),
        fc.oneof(
          fc.tuple(step, step, fc.constantFrom('latin1', ...Object.keys(encodings))),
          fc.tuple(
            step,
            fc.constantFrom(...Object.keys(all).filter((name) => name !== 'latin1')),
            step,
          ),
          fc.tuple(step, fc.constantFrom('base64', 'hex'), fc.constantFrom('base64', 'base64url')),
        ),
        (value, around, steps) => {
          const text = steps.reduce(
            (inner, name) => all[name]?.(inner) ?? inner,
            `${around}${value}${around}`,
          );
          const scan = new Redactor();
          scan.add(value);
          const byScan = scan.hide(text);
          const byRule = mask('regex', `\\Q${value}\\E`).text(text);
          expect(byScan).toContain('***');
          expect(byRule).toBe(byScan);
        },
      ),
      { numRuns: rounds(1_000) },
    );
  });

  it('masks only what is text in base64', () => {
    const rules = mask('regex', '\\d', 'user:.+');
    const image = Buffer.from([
      0x89, 0x50, 0x4e, 0x47, 0x31, 0x32, 0x33, 0, 0x34, 0xff, 0xfe, 0x35,
    ]);
    const text = `{"image":"${image.toString('base64').replace(/\d/g, '')}","code":"dXNlcjpwYXNzd29yZA=="}`;
    expect(rules.text(text)).toBe(text.replace('dXNlcjpwYXNzd29yZA', '***'));
  });

  it('masks more of the end of a truncated text that is encoded', () => {
    expect(mask('regex', '\\d{16}').text(`${'a'.repeat(100)}${'%41'.repeat(300)}`, true)).toBe(
      `${'a'.repeat(100)}${'%41'.repeat(44)}***`,
    );
  });

  it('masks a text that takes too long to search', () => {
    const hidden = mask('regex', 'a(.*z)?').text('a'.repeat(64 * 1024));
    expect(hidden.replaceAll('*', '')).toBe('');
  });
});

describe('a path into JSON', () => {
  it.each([
    ['$.a', '{"a": 1, "b": 1}', '{"a": "***", "b": 1}'],
    [
      '$..secret',
      '{"x":[{"secret":"s"},{"secret":{"deep":[1]}}],"y":"secret"}',
      '{"x":[{"secret":"***"},{"secret":"***"}],"y":"secret"}',
    ],
    ['$[1:]', '[12345678901234567890, 2 , [3,4] ]', '[12345678901234567890, "***" , "***" ]'],
    ["$['it\\'s \\u0001']", '{"it\'s \\u0001":1,"its":2}', '{"it\'s \\u0001":"***","its":2}'],
    [
      "$['\u{1f511} é\\\\']",
      '{"\u{1f511} \\u00e9\\\\":null,"b":true}',
      '{"\u{1f511} \\u00e9\\\\":"***","b":true}',
    ],
    ['$..*', '{"a":{"b":1}}', '{"a":"***"}'],
    ['$', '{"a":1}', '"***"'],
    [
      '$[?@.kind == "card"].number',
      '[{"kind":"card","number":"4111"},{"kind":"note","number":"7"}]',
      '[{"kind":"card","number":"***"},{"kind":"note","number":"7"}]',
    ],
    ['$.__proto__', '{"__proto__":"x","b":1}', '{"__proto__":"***","b":1}'],
    ['$.none', '{"a":1}', '{"a":1}'],
  ])('%s masks in %s', (expression, text, hidden) => {
    expect(inBody(mask('JSONPath', expression), text)).toBe(hidden);
  });

  it('masks the whole of invalid text that is declared as JSON or resembles it', () => {
    for (const text of [
      '{"a":',
      '{"a":1}}',
      '[1,]',
      '{"a":***}',
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      '{1:2}',
      '["\n"]',
    ])
      expect([text.slice(0, 20), inBody(mask('JSONPath', '$.a'), text)]).toEqual([
        text.slice(0, 20),
        '***',
      ]);
    expect(
      inBody(mask('JSONPath', '$.a'), 'plain', 'application/problem+json; charset=utf-8'),
    ).toBe('***');
    expect(inBody(mask('JSONPath', '$.a'), '{"a":1}', 'text/plain', true)).toBe('***');
    expect(inBody(mask('JSONPath', '$.a'), 'plain text', 'text/plain')).toBe('plain text');
    expect(inBody(mask('JSONPath', '$.a'), '')).toBe('');
  });

  it('leaves nothing of a selected value, and all other values unchanged', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }),
        fc.string({ minLength: 1 }),
        fc.jsonValue(),
        fc.boolean(),
        (others, name, value, isSpaced) => {
          const document = Object.fromEntries([...Object.entries(others), [name, value]]);
          const quoted = JSON.stringify(name)
            .slice(1, -1)
            .replaceAll('\\"', '"')
            .replaceAll("'", "\\'");
          const hidden = inBody(
            mask('JSONPath', `$['${quoted}']`),
            JSON.stringify(document, null, isSpaced ? 2 : 0),
          );
          expect(JSON.parse(hidden)).toEqual(
            JSON.parse(
              JSON.stringify(
                Object.fromEntries(
                  Object.entries(document).map(([key, one]) => [key, key === name ? '***' : one]),
                ),
              ),
            ),
          );
        },
      ),
      { numRuns: rounds(2_000) },
    );
  });
});

describe('a path into XML', () => {
  const ORDER =
    '<?xml version="1.0"?>\n<!-- c --><o:order xmlns:o="urn:o" id="7">\n <card kind=\'visa\' no="4111">12 &amp; 34<![CDATA[<5>]]></card><card kind="none"/>\n <o:note lang="de">a<b>c</b>d</o:note></o:order>';
  it.each([
    [
      '//card',
      ORDER.replace('12 &amp; 34<![CDATA[<5>]]>', '***')
        .replace("'visa'", "'***'")
        .replace('4111', '***')
        .replace('"none"', '"***"'),
    ],
    ['//card/@no', ORDER.replace('4111', '***')],
    ['/o:order/@*', ORDER.replace('urn:o', '***').replace('"7"', '"***"')],
    ['//text()[contains(., "34<5>")]', ORDER.replace('12 &amp; 34<![CDATA[<5>]]>', '***')],
    ['//card[@kind="visa"]/text()', ORDER.replace('12 &amp; 34<![CDATA[<5>]]>', '***')],
    ['//card[2]/@kind', ORDER.replace('"none"', '"***"')],
    ['//card[last()]/@kind', ORDER.replace('"none"', '"***"')],
    ['//card[position() < 2]/@kind', ORDER.replace("'visa'", "'***'")],
    ['//card[not(@no)]/@kind', ORDER.replace('"none"', '"***"')],
    ['//card[@no > 4000 and string-length(@kind) = 4]/@no', ORDER.replace('4111', '***')],
    ['//*[local-name() = "note"]/b', ORDER.replace('>c<', '>***<')],
    [
      '//*[normalize-space() = "acd"]/b | //card/@no',
      ORDER.replace('>c<', '>***<').replace('4111', '***'),
    ],
    ['//o:*/@lang', ORDER.replace('"de"', '"***"')],
    ['//b/../@lang', ORDER.replace('"de"', '"***"')],
    ['//b/parent::*[starts-with(@lang, "d")]/descendant::b', ORDER.replace('>c<', '>***<')],
    ['//comment()', ORDER.replace(' c ', '***')],
    ['o:order/card[count(@*) = 1]/@kind', ORDER.replace('"none"', '"***"')],
    ['card', ORDER],
    ['//card[name(..) = "o:order" or false()]/@no', ORDER.replace('4111', '***')],
  ])('%s masks what it selects', (expression, hidden) => {
    expect(inBody(mask('XPath', expression), ORDER)).toBe(hidden);
  });

  it('masks the whole of invalid text that is declared as XML or resembles it', () => {
    for (const text of [
      '<a>',
      '<a></b>',
      '<a b=c/>',
      '<!DOCTYPE a><a/>',
      '<a/>x',
      '<a><!-- </a>',
      '<a b="<"/>',
      '<html><br></html>',
      `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`,
    ]) {
      expect([text.slice(0, 20), inBody(mask('XPath', '//b'), text)]).toEqual([
        text.slice(0, 20),
        '***',
      ]);
    }
    expect(inBody(mask('XPath', '//b'), 'plain', 'application/soap+xml')).toBe('***');
    expect(inBody(mask('XPath', '//b'), '<a/>', '', true)).toBe('***');
    expect(inBody(mask('XPath', '//b'), '{"a":1}', 'application/json')).toBe('{"a":1}');
  });
});

describe('our own JSON stays valid', () => {
  it.each([
    [
      '\\d{4}',
      '{"a":"x 12345","b":12345,"c":[123,true]}',
      '{"a":"x ***5","b":"***","c":[123,true]}',
    ],
    [
      '"pin"\\s*:\\s*"[^"]*"',
      '{\n  "pin": "4711",\n  "b": "pin"\n}\n',
      '{\n  "***": "***",\n  "b": "pin"\n}\n',
    ],
    ['secret.*', '{"my secret":1,"b":"the secret one"}', '{"***":"***","***":"***"}'],
    ['[^]*', '{"a":[1,null,"x"]}', '{"***":["***","***","***"]}'],
    ['\\\\n', '["a\\nb"]', '["***"]'],
    ['a\\nb', '["xa\\nby"]', '["x***y"]'],
    ['u00', '["\\u0001"]', '["***"]'],
    ['true', '[true,"true",false]', '["***","***",false]'],
    ['["{:,]', '{"a":1,"b":[2]}', '{"***":1,"***":[2]}'],
  ])('when %s masks in %s', (pattern, json, hidden) => {
    expect(mask('regex', pattern).json(json)).toBe(hidden);
    expect(() => {
      JSON.parse(hidden);
    }).not.toThrow();
  });

  it('for any pattern, with the same number of values and no remaining match within a value', () => {
    const patterns = ['\\d', '[a-z]+', '"', '[\\\\]', '.', '[0-9"]{2,}', ':', '\\s', 'e'];
    const count = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce<number>((sum, each) => sum + count(each), 1)
        : 1;
    const plain = (value: unknown): string[] =>
      typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(plain)
        : [String(value)];
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 3 })),
        fc.constantFrom(...patterns),
        fc.constantFrom(0, 2),
        (value, pattern, indent) => {
          const hidden = JSON.parse(
            mask('regex', pattern).json(JSON.stringify(value, null, indent)),
          ) as unknown;
          // Equal masked names may merge, so that only lists keep all their values.
          if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
            expect(count(hidden)).toBe(count(value));
          for (const text of plain(hidden))
            expect(text.replaceAll('***', '')).not.toMatch(new RegExp(pattern));
        },
      ),
      { numRuns: rounds(800) },
    );
  });

  it('when a path masks in it, and when it cannot be searched', () => {
    expect(
      new RuleMask([
        { type: 'JSONPath', expression: '$..iban' },
        { type: 'regex', expression: 'DE\\d+' },
      ]).json('{"iban":{"a":1},"b":"DE123"}'),
    ).toBe('{"iban":"***","b":"***"}');
    expect(mask('JSONPath', '$.a').json('{"a":')).toBe('"***"');
  });
});
