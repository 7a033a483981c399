import type { ValueMap } from '../../engine';
import { xmlParameters } from '../../engine';
import { BadInput, UnsupportedMediaType } from '../../platform/errors/errors';
import { readFormData, readUrlEncoded } from '../../platform/http/form-fields';
import { parseJson, TEXT_LIMITS } from '../../platform/json/parse-json';
import { encodingSaidBy } from '../../platform/xml/decode';
import { readXml, XML_LIMITS } from '../../platform/xml/read-xml';
import { XmlFault } from '../../platform/xml/xml-fault';

/** The parameters in a body. */
export interface CallBody {
  /** A JSON object whose numbers are written as they were sent. */
  readonly text: string;
  readonly values: ValueMap;
}

/** The parameter that a JSON body is which is not an object. */
const BODY_PARAMETER = 'body';
/** Each element takes some hundred bytes of memory. */
const MAX_XML_ELEMENTS = 50_000;

const FORM = 'application/x-www-form-urlencoded';
/** Types that clients send when nobody said what the body is; `curl -d` says that everything is a form. */
const UNSPECIFIC: ReadonlySet<string> = new Set([
  '',
  'text/plain',
  'application/octet-stream',
  FORM,
]);

/**
 * Reads the parameters in the body of a call by its content type; JSON is what no other type says. Returns null for a blank body.
 * @throws BadInput the body is not what its content type says
 * @throws UnsupportedMediaType a character set that is not known, or JSON in another one than UTF-8
 * @throws TooLarge more values, fields or elements than are read
 */
export async function readCallBody(bytes: Buffer, contentType = ''): Promise<CallBody | null> {
  const type = contentType.split(';', 1)[0].trim().toLowerCase();
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase();
  if (type === 'multipart/form-data') return bodyOfFields(await readFormData(bytes, contentType));
  const isNamedXml = /[/+]xml$/.test(type);
  // ASCII is enough to tell what a body of an unspecific type begins with.
  const head = bytes
    .toString('latin1', 0, 100)
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  if (isNamedXml || (UNSPECIFIC.has(type) && /^<\?xml\b/.test(head)))
    return isNamedXml && isBlank(bytes) ? null : readXmlBody(bytes, charset);
  if (type === FORM && !/^[[{]/.test(head))
    return bodyOfFields(readUrlEncoded(decodeText(bytes, requireUtf8(charset, 'A form'))));
  return readJsonBody(bytes, charset);
}

const isBlank = (bytes: Buffer): boolean => bytes.toString('latin1').trim() === '';

function bodyOfFields(fields: object): CallBody | null {
  const text = JSON.stringify(fields);
  return Object.keys(fields).length === 0 ? null : { text, values: JSON.parse(text) as ValueMap };
}

async function readJsonBody(bytes: Buffer, charset: string | undefined): Promise<CallBody | null> {
  requireUtf8(charset, 'JSON');
  const value = await parseJson(bytes, TEXT_LIMITS);
  if (value === undefined) return null;
  const text = bytes.toString().trim();
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { text, values: value as ValueMap };
  return {
    text: `{${JSON.stringify(BODY_PARAMETER)}:${text}}`,
    values: { [BODY_PARAMETER]: value } as ValueMap,
  };
}

async function readXmlBody(bytes: Buffer, charset: string | undefined): Promise<CallBody> {
  try {
    // RFC 7303: first the byte order mark, then the header, then the declaration.
    const isDecodedByBytes = charset === undefined || encodingSaidBy(bytes).signed !== undefined;
    const root = await readXml(isDecodedByBytes ? bytes : decodeText(bytes, charset), {
      ...XML_LIMITS,
      elements: MAX_XML_ELEMENTS,
    });
    return bodyOfFields(xmlParameters(root)) ?? { text: '{}', values: {} };
  } catch (error) {
    if (error instanceof XmlFault)
      throw new BadInput('BAD_REQUEST', `The body is not XML that can be read: ${error.message}`);
    throw error;
  }
}

const UTF_8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

function requireUtf8(charset: string | undefined, what: string): string {
  if (charset !== undefined && !UTF_8.has(charset))
    throw new UnsupportedMediaType(`${what} comes as UTF-8, not as ${charset.slice(0, 50)}.`);
  return 'utf-8';
}

function createDecoder(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new UnsupportedMediaType(`The character set ${charset.slice(0, 50)} is not known.`);
  }
}

function decodeText(bytes: Buffer, charset: string): string {
  const decoder = createDecoder(charset);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new BadInput('BAD_REQUEST', `The body is not valid ${charset.toUpperCase()}.`);
  }
}
