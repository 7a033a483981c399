import { zipOf } from '../../test/support/documents/zips';

/** An input that is within every limit of bytes, and what reads it. */
interface HostileInput {
  readonly name: string;
  readonly task: 'invoker' | 'invokers' | 'template' | 'templates' | 'json';
  /** @param bytes about as many as the input is to have, unpacked */
  readonly make: (bytes: number) => Promise<Buffer> | Buffer;
}

const filled = (part: string, bytes: number): string =>
  part.repeat(Math.max(1, Math.floor(bytes / part.length)));

/** Parts that are all different, up to a number of bytes. */
function different(part: (nth: number) => string, bytes: number, separator = ''): string {
  const parts: string[] = [];
  for (let [nth, length] = [0, 0]; length < bytes; nth += 1)
    length += parts[parts.push(part(nth)) - 1].length + separator.length;
  return parts.join(separator);
}

const invoker = (description: string, fields = ''): string =>
  `<invoker type="R"><name>Hostile</name><description>${description}</description><requiredData/><operations><operation name="a" type="b">` +
  `<request><method>GET</method><endpoint>x</endpoint><body type="object" format="json" data="raw">${fields}</body></request></operation></operations></invoker>`;

const described = (name: string, make: (bytes: number) => string): HostileInput => ({
  name,
  task: 'invoker',
  make: (bytes) => Buffer.from(invoker(make(bytes))),
});
const json = (name: string, make: (bytes: number) => string): HostileInput => ({
  name,
  task: 'json',
  make: (bytes) => Buffer.from(`[${make(bytes)}]`),
});
const inList =
  (part: string) =>
  (bytes: number): string =>
    filled(`${part},`, bytes).slice(0, -1);

/** More elements than this are refused. */
const ELEMENTS = 199_000;
const template = (bytes: number): string =>
  `{"name":"Hostile","connection":{"title":"Hostile","ui":[${inList('{}')(Math.min(bytes, 2_900_000))}]}}`;

export const HOSTILE_INPUTS: readonly HostileInput[] = [
  described('XML: plain text', (bytes) => filled('abcdefgh', bytes)),
  described('XML: one CDATA of brackets', (bytes) => `<![CDATA[${filled(']]', bytes)} ]]>`),
  described('XML: CDATA of a character each', (bytes) => filled('<![CDATA[a]]>', bytes)),
  described('XML: one comment of hyphens', (bytes) => `<!--${filled('- ', bytes)}-->`),
  described('XML: a comment after each character', (bytes) => filled('a<!---->', bytes)),
  described(
    'XML: a processing instruction of question marks',
    (bytes) => `<?x ${filled('?', bytes)} ?>`,
  ),
  described('XML: entities', (bytes) => filled('&lt;', bytes)),
  described('XML: carriage returns', (bytes) => filled('\r', bytes)),
  described('XML: an entity without an end', (bytes) => `&${filled('\r', bytes)};`),
  described('XML: tiny elements', (bytes) => filled('<a/>', Math.min(bytes, ELEMENTS * 4))),
  described('XML: 99 attributes in each element', (bytes) =>
    different(
      (nth) =>
        `<a ${Array.from({ length: 99 }, (_, at) => `a${(nth * 99 + at).toString(36)}=""`).join(' ')}/>`,
      bytes,
    ),
  ),
  described('XML: 60 elements in each other', (bytes) =>
    filled(`${'<a>'.repeat(60)}${'</a>'.repeat(60)}`, Math.min(bytes, ELEMENTS * 7)),
  ),
  described('XML: a long name', (bytes) => `<${filled('a', bytes / 2)}/>`),
  {
    name: 'XML: as many fields as an invoker may have',
    task: 'invoker',
    make: (bytes) =>
      Buffer.from(
        invoker(
          '',
          different(
            (nth) => `<field name="n${nth}" type="string">x</field>`,
            Math.min(bytes, 8_800_000),
          ),
        ),
      ),
  },
  {
    name: 'XML: an array of commas',
    task: 'invoker',
    make: (bytes) =>
      Buffer.from(invoker('', `<field name="a" type="array">${filled(',', bytes)}</field>`)),
  },
  {
    name: 'zip: 10 invokers of one CDATA',
    task: 'invokers',
    make: (bytes) =>
      zipOf(
        Object.fromEntries(
          Array.from({ length: 10 }, (_, nth) => [
            `${nth}.xml`,
            invoker(`<![CDATA[${filled(']]', bytes)} ]]>`),
          ]),
        ),
      ),
  },
  {
    name: 'zip: 490 small files',
    task: 'invokers',
    make: () =>
      zipOf(
        Object.fromEntries(
          Array.from({ length: 490 }, (_, nth) => [
            `${nth}.xml`,
            invoker(`${nth}`).replace('Hostile', `Hostile ${nth}`),
          ]),
        ),
      ),
  },
  {
    name: 'zip: an archive in an archive',
    task: 'invokers',
    make: async (bytes) => zipOf({ 'a.xml': await zipOf({ 'a.xml': filled('\0', bytes) }) }),
  },
  {
    name: 'JSON file: a template of empty objects',
    task: 'template',
    make: (bytes) => Buffer.from(template(bytes)),
  },
  {
    name: 'zip: 10 templates of empty objects',
    task: 'templates',
    make: (bytes) =>
      zipOf(
        Object.fromEntries(
          Array.from({ length: 10 }, (_, nth) => [`${nth}.json`, template(bytes)]),
        ),
      ),
  },
  json('JSON: empty objects', (bytes) => inList('{}')(Math.min(bytes, 1_400_000))),
  json('JSON: empty lists, 95 in each other', (bytes) =>
    inList(`${'['.repeat(95)}${']'.repeat(95)}`)(Math.min(bytes, 1_900_000)),
  ),
  json('JSON: objects of one name, all different', (bytes) =>
    different((nth) => `{"${nth.toString(36)}":0}`, Math.min(bytes, 5_300_000), ','),
  ),
  json('JSON: one text of two bytes a character', (bytes) => `"${filled('ж', bytes / 2)}"`),
];
