import { readXml, XML_LIMITS } from '../../platform/xml/read-xml';
import type { XmlElement } from '../../platform/xml/read-xml';
import { XmlFault } from '../../platform/xml/xml-fault';
import { EngineError } from '../errors';
import type { OutboundResponse } from '../ports';

/** Returns whether a response is declared as XML, or starts like XML without a specific type. */
export function isXml({ headers }: Pick<OutboundResponse, 'headers'>, text: string): boolean {
  const type =
    String(headers['content-type'] ?? '')
      .split(';')[0]
      ?.trim()
      .toLowerCase() ?? '';
  return (
    /[/+]xml$/.test(type) || ((type === '' || type === 'text/plain') && /^\s*<\?xml\b/.test(text))
  );
}

/**
 * Parses the root element of an XML response.
 * @returns an error RESPONSE_NOT_XML if it cannot be parsed
 */
export async function readXmlBody(
  text: string,
  maxBytes: number,
): Promise<XmlElement | EngineError> {
  try {
    return await readXml(text.toWellFormed(), { ...XML_LIMITS, bytes: maxBytes * 4 });
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    return new EngineError(
      'RESPONSE_NOT_XML',
      `The answer calls itself XML and is not, or more of it than is read (line ${error.line}); a response type of text takes it as it is.`,
    );
  }
}
