import fc from 'fast-check';
import { readXml, XML_LIMITS } from '../../src/platform/xml/read-xml';
import type { XmlElement } from '../../src/platform/xml/read-xml';
import { isXmlText, writeXml } from '../../src/platform/xml/write-xml';
import type { XmlNode } from '../../src/platform/xml/write-xml';
import { XmlFault } from '../../src/platform/xml/xml-fault';
import { rounds } from '../support/rounds';

async function faultOf(
  source: string | Buffer,
): Promise<{ line: number; column: number; reason: string }> {
  const error = await readXml(source).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof XmlFault)) throw new Error(`Expected an XmlFault, not ${String(error)}.`);
  const { line, column, reason } = error;
  return { line, column, reason };
}

/** The character at a position, counted in the text itself. */
const at = (text: string, line: number, column: number): string =>
  text.split(/\r\n|\r|\n/)[line - 1]?.slice(column - 1) ?? '';

describe('the XML reader', () => {
  it('reports the position of every element for any line ending and chunk boundary', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const rows = Array.from(
        { length: 900 },
        (_, row) =>
          `${' '.repeat(row % 7)}<row${row}${row % 3 === 0 ? end : ' '}a="ü€😀">x<i/></row${row}>`,
      );
      const text = `<?xml version="1.0"?>${end}<!-- ${'c'.repeat(8_170)} -->${end}<rows>${end}${rows.join(end)}${end}</rows>`;
      const places: [string, string][] = [];
      const walk = (element: XmlElement): void => {
        places.push([
          at(text, element.line, element.column).slice(0, element.name.length + 1),
          `<${element.name}`,
        ]);
        element.children.forEach(walk);
      };
      walk(await readXml(text));
      expect(places).toHaveLength(1_801);
      expect(places.filter(([actual, expected]) => actual !== expected)).toEqual([]);
    }
  });

  it('reads the five entities, numeric characters and CDATA', async () => {
    const { text, attributes } = await readXml(
      '<a b="&quot;&#x41;&apos;">&lt;&amp;&gt;<!-- no -->&#66;<![CDATA[<c>&amp;]]></a>',
    );
    expect({ text, attributes: { ...attributes } }).toEqual({
      text: '<&>B<c>&amp;',
      attributes: { b: '"A\'' },
    });
  });

  it.each([
    [
      'a DOCTYPE',
      '<?xml version="1.0"?>\n<!DOCTYPE a [\n<!ENTITY b "c">\n]>\n<a>&b;</a>',
      2,
      /DOCTYPE/,
    ],
    [
      'a DOCTYPE with an external part',
      '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
      1,
      /DOCTYPE/,
    ],
    ['an unknown entity', '<a>\n&lol9;</a>', 2, /entity/i],
    ['an unknown entity in an attribute', '<a>\n<b c="&nbsp;"/></a>', 2, /entity/i],
    ['an unclosed element', '<a>\n<b>\n</a>', 3, /close|closing/i],
    ['an unexpected end tag', '<a>\n<b>', 2, /unclosed/i],
    ['two roots', '<a/>\n<b/>', 2, /root/i],
    ['a duplicate attribute', '<a>\n<b c="1" c="2"/></a>', 2, /duplicate attribute/i],
    ['an attribute without quotes', '<a>\n<b c=1/></a>', 2, /unquoted/i],
    ['a character outside XML', '<a>\n\u0001</a>', 2, /disallowed character/i],
    ['no element', '\n<!-- nothing -->', 2, /root|element/i],
    ['plain text', 'hello', 1, /outside/i],
    [
      'too many attributes',
      `<a>\n<b ${Array.from({ length: 101 }, (_, n) => `a${n}=""`).join(' ')}/></a>`,
      2,
      /100 attributes/,
    ],
    ['too deep', `${'<a>\n'.repeat(65)}${'</a>'.repeat(65)}`, 65, /64 deep/],
  ])('rejects %s, with the line', async (_, text, line, reason) => {
    const fault = await faultOf(text);
    expect(fault.line).toBe(line);
    expect(fault.reason).toMatch(reason);
    expect(fault.reason).not.toMatch(/undefined:|^\d/);
  });

  it('rejects more elements or bytes than allowed', async () => {
    await expect(
      readXml(`<a>${'<b/>'.repeat(20)}</a>`, { ...XML_LIMITS, elements: 20 }),
    ).rejects.toThrow(/20 elements/);
    await expect(
      readXml(`<a>${'é'.repeat(20)}</a>`, { ...XML_LIMITS, bytes: 46 }),
    ).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    await expect(
      readXml(`<a>${'é'.repeat(20)}</a>`, { ...XML_LIMITS, bytes: 47 }),
    ).resolves.toMatchObject({ name: 'a' });
  });

  describe('with encodings', () => {
    const declared = (encoding: string): string =>
      `<?xml version="1.0" encoding="${encoding}"?>\n<a>é</a>`;
    const big = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

    it.each([
      ['UTF-8', Buffer.from(declared('UTF-8'))],
      ['UTF-8 with a mark', Buffer.from(`\ufeff${declared('utf-8')}`)],
      ['none named', Buffer.from('<a>é</a>')],
      ['UTF-16 little-endian', Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le')],
      ['UTF-16 big-endian', big(`\ufeff${declared('UTF-16')}`)],
      ['UTF-16 without a mark', Buffer.from(declared('UTF-16'), 'utf16le')],
      ['Latin 1', Buffer.from(declared('ISO-8859-1'), 'latin1')],
      ['Windows', Buffer.from(declared('windows-1252'), 'latin1')],
    ])('reads %s', async (_, bytes) => {
      expect((await readXml(bytes)).text).toBe('é');
    });

    it.each([
      ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]), 1],
      ['UTF-7', Buffer.from(declared('UTF-7')), 1],
      ['an unknown one', Buffer.from(declared('x-made-up')), 1],
      ['a contradicting byte order mark', Buffer.from(`\ufeff${declared('UTF-16')}`), 1],
      ['a contradicting declaration', Buffer.from(declared('UTF-16')), 1],
      ['UTF-16 that calls itself UTF-8', Buffer.from(`\ufeff${declared('UTF-8')}`, 'utf16le'), 1],
      [
        'invalid UTF-8',
        Buffer.concat([Buffer.from('<a>\nü\n'), Buffer.from([0xff, 0xfe]), Buffer.from('\n</a>')]),
        3,
      ],
      [
        'invalid UTF-8 after a long valid part',
        Buffer.concat([
          Buffer.from(`<a>\n${'ü\n'.repeat(60_000)}`),
          Buffer.from([0xc3]),
          Buffer.from('</a>'),
        ]),
        60_002,
      ],
    ])('rejects %s', async (_, bytes, line) => {
      expect((await faultOf(bytes)).line).toBe(line);
    });

    it('ignores the declared encoding of a decoded text', async () => {
      expect((await readXml(declared('UTF-16'))).text).toBe('é');
    });
  });

  it('reads back what was written', async () => {
    const name = fc.stringMatching(/^[A-Za-z_][\w.-]{0,8}$/);
    const text = fc.string({ unit: 'binary', maxLength: 30 }).filter(isXmlText);
    const withChildren = (children: fc.Arbitrary<XmlNode[]>): fc.Arbitrary<XmlNode> =>
      fc.record({ name, attributes: fc.dictionary(name, text, { maxKeys: 4 }), text, children });
    const some = (of: fc.Arbitrary<XmlNode>): fc.Arbitrary<XmlNode[]> =>
      fc.array(of, { maxLength: 3 });
    const node = withChildren(some(withChildren(some(withChildren(fc.constant([]))))));
    const shape = ({
      name: called,
      attributes = {},
      text: within,
      children = [],
    }: XmlNode): object => ({
      name: called,
      attributes: { ...attributes },
      ...(children.length > 0 ? { children: children.map(shape) } : { text: within }),
    });
    const read = ({ name: called, attributes, text: within, children }: XmlElement): object => ({
      name: called,
      attributes: { ...attributes },
      ...(children.length > 0 ? { children: children.map(read) } : { text: within }),
    });
    await fc.assert(
      fc.asyncProperty(node, async (written) => {
        expect(read(await readXml(writeXml(written)))).toEqual(shape(written));
      }),
      { numRuns: rounds(200) },
    );
  });
});
