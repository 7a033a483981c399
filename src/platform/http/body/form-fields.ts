import busboy from 'busboy';
import { isUtf8 } from 'node:buffer';
import { BadInput, TooLarge } from '../../errors/errors';
import { addField, fieldsOf } from '../request-url';
import type { Fields } from '../request-url';

const MAX_FIELDS = 1_000;
const MAX_NAME_BYTES = 1_000;
const REPLACEMENT = '\ufffd';

const broken = (message: string): BadInput => new BadInput('BAD_REQUEST', message);
const tooMany = (): TooLarge => new TooLarge(`A form may have ${MAX_FIELDS} fields at most.`);

/**
 * Reads the fields of an `application/x-www-form-urlencoded` body.
 * @throws BadInput broken percent-encoding
 * @throws TooLarge too many fields
 */
export function readUrlEncoded(text: string): Fields {
  const fields = fieldsOf(text.trim(), 'The form');
  let count = 0;
  for (const value of Object.values(fields)) count += typeof value === 'string' ? 1 : value.length;
  if (count > MAX_FIELDS) throw tooMany();
  return fields;
}

/**
 * Reads the fields of a `multipart/form-data` body without files. Browsers send a file input
 * without a file as an empty part, which is ignored.
 * @param contentType contains the boundary
 * @throws BadInput a broken body, a file, or text that is invalid in its character set
 * @throws TooLarge too many fields
 */
export function readFormData(bytes: Buffer, contentType: string): Promise<Fields> {
  const fields = Object.create(null) as Fields;
  const areSound = isUtf8(bytes);
  return new Promise((resolve, reject) => {
    const limits = {
      fieldSize: bytes.length + 1,
      fieldNameSize: MAX_NAME_BYTES,
      fields: MAX_FIELDS,
      files: MAX_FIELDS,
      headerPairs: 100,
    };
    const parser = openParser(contentType, limits);
    const fail = (error: Error): void => {
      parser.destroy();
      reject(error);
    };
    parser.on('field', (name: string | undefined, value, { nameTruncated }) => {
      if (name === undefined) fail(broken('A part of the form has no name.'));
      else if (nameTruncated)
        fail(broken(`The name of the field ${name.slice(0, 50)} is too long.`));
      else if (!areSound && `${name}${value}`.includes(REPLACEMENT))
        fail(broken(`The field ${name.slice(0, 50)} is not valid text of its character set.`));
      else addField(fields, name, value);
    });
    parser.on('file', (name: string | undefined, stream, { filename }) => {
      stream.on('error', () => undefined);
      const refuse = (): void =>
        fail(
          broken(
            `The part ${String(name).slice(0, 50)} is a file. Only fields are read: send the content as a field, or in JSON as base64.`,
          ),
        );
      if (filename) refuse();
      else stream.on('data', refuse);
    });
    parser.on('fieldsLimit', () => fail(tooMany()));
    parser.on('filesLimit', () => fail(tooMany()));
    parser.on('error', () => fail(broken('The multipart body is broken.')));
    parser.on('close', () => resolve(fields));
    parser.end(bytes);
  });
}

function openParser(contentType: string, limits: busboy.Limits): busboy.Busboy {
  try {
    return busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', limits });
  } catch {
    throw broken('The multipart body has no boundary.');
  }
}
