import { readXml } from '../../src/platform/xml/read-xml';
import { XmlFault } from '../../src/platform/xml/xml-fault';

/** Longer than several chunks of the reader, and not a multiple of one. */
const TIMES = 5_003;

describe('XML longer than one chunk of the reader', () => {
  it.each([
    ['text of entities', '&lt;a&#x1F600;', '<a😀'],
    ['text of characters with two halves', 'a😀', 'a😀'],
    ['text of line breaks', '\r\r\n', '\n\n'],
    ['text in short CDATA', '<![CDATA[b]]>]<!-- - -->', 'b]'],
    ['text between processing instructions', '<?x ?? ?>c', 'c'],
  ])('is read unchanged: %s', async (_, written, read) => {
    // Shifted by one character at a time, so that chunks end at every position.
    for (let shift = 0; shift < written.length; shift += 1) {
      const { text, children } = await readXml(
        `<a>${'-'.repeat(shift)}${written.repeat(TIMES)}<b>end</b></a>`,
      );
      expect(text === '-'.repeat(shift) + read.repeat(TIMES)).toBe(true);
      expect(children.map((child) => child.text)).toEqual(['end']);
    }
  });

  it.each([
    [
      'CDATA of closing brackets',
      `<a><![CDATA[${']'.repeat(TIMES * 4)}]]></a>`,
      ']'.repeat(TIMES * 4),
    ],
    ['CDATA of pairs of them', `<a><![CDATA[${']] '.repeat(TIMES)}]]></a>`, ']] '.repeat(TIMES)],
    ['a comment of hyphens', `<a>x<!--${'- '.repeat(TIMES)}-->y</a>`, 'xy'],
    [
      'a processing instruction of question marks',
      `<a>x<?p ${'?'.repeat(TIMES * 4)} ?>y</a>`,
      'xy',
    ],
    ['a comment in front of the element', `<!--${'- '.repeat(TIMES)}--><a>x</a>`, 'x'],
  ])('keeps the content of the element: %s', async (_, document, expected) => {
    const { text } = await readXml(document);
    expect(text === expected).toBe(true);
  });

  it('separates a long attribute from the following text', async () => {
    const { attributes, text } = await readXml(`<a b="${'&quot;\t'.repeat(TIMES)}">c</a>`);
    expect({ isWhole: attributes.b === '" '.repeat(TIMES), text }).toEqual({
      isWhole: true,
      text: 'c',
    });
  });

  it('with an endless entity is rejected, and the error quotes no long name', async () => {
    const endless = await readXml(`<a>&${'b'.repeat(TIMES * 4)};</a>`).catch(
      (error: unknown) => error,
    );
    const longName = await readXml(`<a><${'b'.repeat(TIMES * 4)}></a>`).catch(
      (error: unknown) => error,
    );
    expect(endless).toBeInstanceOf(XmlFault);
    expect((longName as XmlFault).reason.length).toBeLessThan(400);
  });
});
