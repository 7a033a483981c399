import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changed, operationsOf, setChildText } from '../../dashboard/build/invokers/invoker-xml';
import { parseXml, setAttribute, textOf, writeXml } from '../../dashboard/build/invokers/xml-tree';

const SHIPPED = join(__dirname, '../../src/features/invokers/shipped');

describe('the XML tree of the invoker editor', () => {
  it.each(readdirSync(SHIPPED))('writes %s as it was read', (name) => {
    const text = readFileSync(join(SHIPPED, name), 'utf8');
    const parsed = parseXml(text);
    expect(parsed && writeXml(parsed)).toBe(text);
  });

  it('changes elements and keeps comments, sections and unknown elements', () => {
    const text =
      "<?xml version='1.0'?>\n<invoker  type='x'><!-- a < b --><name>A &amp; B</name><other><![CDATA[<raw>]]></other>\n  <operations><operation name='old'/></operations></invoker>\n";
    const result = changed(text, (root) => {
      setChildText(root, 'name', 'C < "D"');
      const [operation] = operationsOf(root);
      if (operation) setAttribute(operation, 'name', '"new"\n& more');
    });
    expect(result).toBe(
      text
        .replace('A &amp; B', 'C &lt; "D"')
        .replace("<operation name='old'/>", '<operation name="&quot;new&quot;&#10;&amp; more"/>'),
    );
    const root = parseXml(result)?.root;
    expect(root && operationsOf(root)[0]?.attributes.get('name')).toBe('"new"\n& more');
    expect(parseXml('<a>x<![CDATA[<y>]]>&#x7a;<!-- no --></a>')).toMatchObject({
      root: { name: 'a' },
    });
    const sections = parseXml('<a>x<![CDATA[<y>]]>&#x7a;<!-- no --></a>');
    expect(sections && textOf(sections.root)).toBe('x<y>z');
  });

  it.each(['', 'text', '<a>', '<a></b>', '<a/><b/>', '<!DOCTYPE a><a/>', '<a b=c/>', '<a b="<"/>'])(
    'refuses %j',
    (text) => {
      expect(parseXml(text)).toBeNull();
      expect(changed(text, () => undefined)).toBe(text);
    },
  );
});
