import type { ValueMap } from '../../engine';
import { xmlParameters } from '../../engine';
import { BadInput, UnsupportedMediaType } from '../../platform/errors/errors';
import { readFormData, readUrlEncoded } from '../../platform/http/body/form-fields';
import { parseJson, TEXT_LIMITS } from '../../platform/json/parse-json';
import { encodingSaidBy } from '../../platform/xml/decode';
import { readXml, XML_LIMITS } from '../../platform/xml/read-xml';
import { XmlFault } from '../../platform/xml/xml-fault';

export interface CallBody {
  /** A JSON object with its numbers as they were sent. */
  readonly text: string;
  readonly values: ValueMap;
}

/** Name of the parameter that holds a JSON body that is not an object. */
const BODY_PARAMETER = 'body';
/** Each element takes a few hundred bytes of memory. */
const MAX_XML_ELEMENTS = 50_000;

const FORM = 'application/x-www-form-urlencoded';
/**
 * Content types that clients send by default, so they say nothing about the body; `curl -d` always
 * sends the form type.
 */
const UNSPECIFIC: ReadonlySet<string> = new Set([
  '',
  'text/plain',
  'application/octet-stream',
  FORM,
]);

/**
 * Reads the parameters of a body by its content type; other types are read as JSON. Returns null
 * for a blank body.
 * @throws BadInput if the body does not match its content type
 * @throws UnsupportedMediaType for an unknown character set, or JSON that is not UTF-8
 * @throws TooLarge for too many values, fields or elements
 */
export async function readCallBody(bytes: Buffer, contentType = ''): Promise<CallBody | null> {
  const type = contentType.split(';', 1)[0].trim().toLowerCase();
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase();
  if (type === 'multipart/form-data') return bodyOfFields(await readFormData(bytes, contentType));
  const isNamedXml = /[/+]xml$/.test(type);
  // ASCII is enough to recognise the first characters of the body.
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

function readJsonBody(bytes: Buffer, charset: string | undefined): CallBody | null {
  requireUtf8(charset, 'JSON');
  const value = parseJson(bytes, TEXT_LIMITS);
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
    // RFC 7303: the byte order mark precedes the header, the header precedes the declaration.
    const isDecodedByBytes = charset === undefined || encodingSaidBy(bytes).signed !== undefined;
    const root = await readXml(isDecodedByBytes ? bytes : decodeText(bytes, charset), {
      ...XML_LIMITS,
      elements: MAX_XML_ELEMENTS,
    });
    return bodyOfFields(xmlParameters(root)) ?? { text: '{}', values: {} };
  } catch (error) {
    if (error instanceof XmlFault)
      throw new BadInput('BAD_REQUEST', `The body is not valid XML: ${error.message}`);
    throw error;
  }
}

const UTF_8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

function requireUtf8(charset: string | undefined, subject: string): string {
  if (charset !== undefined && !UTF_8.has(charset))
    throw new UnsupportedMediaType(
      `${subject} must be encoded in UTF-8, not in ${charset.slice(0, 50)}.`,
    );
  return 'utf-8';
}

function createDecoder(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new UnsupportedMediaType(`The character set ${charset.slice(0, 50)} is not supported.`);
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
