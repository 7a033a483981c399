import { fold } from '../../text/fold';

/** Short names of attribute types, by OID and by long name (RFC 4514, section 3; RFC 4519). */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'cn',
  '2.5.4.6': 'c',
  '2.5.4.7': 'l',
  '2.5.4.8': 'st',
  '2.5.4.9': 'street',
  '2.5.4.10': 'o',
  '2.5.4.11': 'ou',
  '0.9.2342.19200300.100.1.1': 'uid',
  '0.9.2342.19200300.100.1.25': 'dc',
  commonname: 'cn',
  countryname: 'c',
  localityname: 'l',
  stateorprovincename: 'st',
  streetaddress: 'street',
  organizationname: 'o',
  organizationalunitname: 'ou',
  userid: 'uid',
  domaincomponent: 'dc',
};

const TYPE = /[ \n]*(?:oid\.)?([a-z][a-z0-9-]*|\d+(?:\.\d+)*)[ \n]*=[ \n]*/iy;
const QUOTED = /"((?:[^"\\]|\\[^])*)"[ \n]*/y;
const HEX = /#((?:[0-9a-f]{2})+)[ \n]*(?=$|[,;+])/iy;
const PLAIN = /(?:[^,;+"\\]|\\[^])*/y;
/** Runs of bytes, and single escaped characters. */
const ESCAPES = /(?:\\[0-9a-f]{2})+|\\([^])/gi;

/**
 * Returns a text that is equal for equal distinguished names, or null if the text is none. By the
 * rules of LDAP, upper and lower case, spaces around parts, the number of spaces in values, ways of
 * escaping, OIDs in place of names, and the order in a part with several values do not matter.
 */
export function dnKey(text: string): string | null {
  if (text.trim() === '') return '[]';
  const parts: string[][] = [[]];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const result = pattern.exec(text);
    if (result) at = pattern.lastIndex;
    return result;
  };
  for (;;) {
    const type = match(TYPE)?.[1].toLowerCase();
    if (type === undefined) return null;
    const hex = match(HEX)?.[1];
    const value =
      hex === undefined ? unescaped(match(QUOTED)?.[1] ?? match(PLAIN)?.[0] ?? '') : textOfHex(hex);
    parts.at(-1)?.push(JSON.stringify([SHORT_NAMES[type] ?? type, comparable(value)]));
    if (at === text.length) return JSON.stringify(parts.map((part) => part.sort()));
    const separator = text[at];
    if (separator !== ',' && separator !== ';' && separator !== '+') return null;
    if (separator !== '+') parts.push([]);
    at += 1;
  }
}

const comparable = (value: string): string => fold(value).replaceAll(/\s+/g, ' ');

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\', ''), 'hex');

/** Replaces escapes. Escaped bytes are UTF-8. */
const unescaped = (value: string): string =>
  value.replaceAll(ESCAPES, (run: string, character: string | undefined) =>
    character === undefined ? bytesOf(run).toString('utf8') : character,
  );

/** Returns the text of a value that is written as `#` and the bytes of its BER encoding. */
function textOfHex(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const isShort = bytes.length >= 2 && bytes[1] === bytes.length - 2 && bytes[1] < 0x80;
  return isShort ? bytes.subarray(2).toString('utf8') : `#${hex}`;
}
