import fc from 'fast-check';
import { withReferences } from '../../src/features/import-released/binding-markers';
import { plainJson } from '../../src/features/import-released/extended-json';
import { parseTemplate, soleSources } from '../../src/engine/text/template';

const ONE = '64b000000000000000000001';
const TWO = '64b000000000000000000002';
const NO_SOURCE = '64b000000000000000000003';
const UNKNOWN = '64b0000000000000000000ff';

const end = (field: string, type = 'response'): object => ({ color: '#FFCFB5', type, field });
const BINDINGS = new Map([
  [ONE, { from: [end('success.id')] }],
  [TWO, { from: [end('success.a[i].b'), end('Ticket.Id', 'request')] }],
  [NO_SOURCE, { from: [] }],
]);

const replaced = async (text: string): Promise<[unknown, string[]]> => {
  const unknown: string[] = [];
  return [withReferences(text, BINDINGS, (id) => unknown.push(id)), unknown];
};

describe('markers of field bindings', () => {
  it.each([
    ['in a body', `#{%${ONE}%}`, '#FFCFB5.(response).success.id'],
    [
      'of several sources in a body',
      `#{%${TWO}%}`,
      '#FFCFB5.(response).success.a[i].b;#FFCFB5.(request).Ticket.Id',
    ],
    [
      'in a part of a URL',
      `{url}/a/{%${ONE}%}?b={%${TWO}%}`,
      '{url}/a/{%#FFCFB5.(response).success.id%}?b={%#FFCFB5.(response).success.a[i].b;#FFCFB5.(request).Ticket.Id%}',
    ],
    ['in a header', `Bearer {%${ONE}%}!`, 'Bearer {%#FFCFB5.(response).success.id%}!'],
    ['in upper case', `#{%${ONE.toUpperCase()}%}`, '#FFCFB5.(response).success.id'],
    ['with blanks', `{% ${ONE} %}`, '{%#FFCFB5.(response).success.id%}'],
  ])('%s become references', async (_where, stored, shown) => {
    expect(await replaced(stored)).toEqual([shown, []]);
  });

  it.each([
    ['no binding', `#{%${UNKNOWN}%}`, [UNKNOWN]],
    ['a binding without a source', `x {%${NO_SOURCE}%}`, [NO_SOURCE]],
    ['text that is no marker', '{%64b0%} #{% if %} {token} #FFCFB5.(response).success', []],
  ])('stay as they are: %s', async (_why, text, unknown) => {
    expect(await replaced(text)).toEqual([text, unknown]);
  });

  it('are found at any depth, and nothing else changes', async () => {
    const value = { a: [{ b: `#{%${ONE}%}`, c: 1 }, null, true], [`#{%${ONE}%}`]: '' };
    expect(withReferences(value, BINDINGS, () => undefined)).toEqual({
      a: [{ b: '#FFCFB5.(response).success.id', c: 1 }, null, true],
      [`#{%${ONE}%}`]: '',
    });
  });

  it('become what the engine reads as the sources of the binding', async () => {
    const field = fc
      .array(fc.stringMatching(/^[a-z]{1,5}(?:\[i\])?$/), { minLength: 1, maxLength: 3 })
      .map((parts) => `success.${parts.join('.')}`);
    await fc.assert(
      fc.asyncProperty(fc.array(field, { minLength: 1, maxLength: 4 }), async (fields) => {
        const bindings = new Map([[ONE, { from: fields.map((each) => end(each)) }]]);
        const [body, url] = withReferences(
          [`#{%${ONE}%}`, `/x/{%${ONE}%}`],
          bindings,
          () => undefined,
        ) as [string, string];
        expect(soleSources(body)).toHaveLength(fields.length);
        expect(parseTemplate(url)).toEqual(['/x/', ...(soleSources(body) ?? [])]);
      }),
    );
  });
});

describe('MongoDB Extended JSON', () => {
  it.each([
    [{ $oid: ONE.toUpperCase() }, ONE],
    [{ $ref: 'method', $id: { $oid: ONE } }, ONE],
    [{ $ref: 'method', $id: ONE, $db: 'acme' }, ONE],
    [{ $numberInt: '5' }, 5],
    [{ $numberLong: '-7' }, -7],
    [{ $numberDouble: '1.5' }, 1.5],
    [{ $numberDouble: 'NaN' }, { $numberDouble: 'NaN' }],
    [{ $oid: 1 }, { $oid: 1 }],
    [
      { a: [{ b: { $oid: ONE } }], c: null },
      { a: [{ b: ONE }], c: null },
    ],
  ])('%j is read as %j', (written, read) => {
    expect(plainJson(written)).toEqual(read);
  });
});
