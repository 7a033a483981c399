import { GraphQLDateTime, GraphQLJSON } from 'graphql-scalars';
import { GraphQLUpload } from 'graphql-upload-minimal';
import type { FileUpload } from 'graphql-upload-minimal';
import { GraphQLScalarType, GraphQLString, Kind } from 'graphql';
import type { ObjMap } from 'graphql/jsutils/ObjMap';
import type { ValueNode } from 'graphql';
import { BadInput } from '../../errors/errors';
import { requireExactNumber, requireFitValue, requireHarmlessName } from '../../json/judge';

/** `Date` in code, RFC 3339 in UTC in requests and answers. */
export const DateTime = new GraphQLScalarType<Date, Date>({
  ...GraphQLDateTime.toConfig(),
  name: 'DateTime',
  description: 'A moment, as RFC 3339 with a time zone: `2026-05-04T10:00:00.000Z`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
});

/**
 * Validated with the rest of the schedule, like titles, so that all its errors are reported
 * together.
 */
export const CronText = new GraphQLScalarType({
  ...GraphQLString.toConfig(),
  name: 'Cron',
  description:
    'Times in the syntax of Quartz, six or seven fields: second, minute, hour, day of month, month, day of week and, left out, year: `0 0 6 ? * MON-FRI`.',
  specifiedByURL:
    'https://www.quartz-scheduler.org/documentation/quartz-2.3.0/tutorials/crontrigger.html',
});

/** Validated with the rest of the schedule. */
export const TimeZoneName = new GraphQLScalarType({
  ...GraphQLString.toConfig(),
  name: 'TimeZone',
  description: 'A time zone by its name in the IANA database: `Europe/Berlin`.',
  specifiedByURL: 'https://www.iana.org/time-zones',
});

/** Any JSON value; only for free-form content, such as the body of a request. */
export const JSONValue = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  name: 'JSON',
  description: 'Any JSON value, for content whose shape is not ours.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  parseValue: (value: unknown) => {
    requireFitValue(value);
    return value;
  },
  parseLiteral: jsonOf,
});

/** Converts a literal to a JSON value. */
function jsonOf(node: ValueNode, variables?: ObjMap<unknown> | null): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      requireExactNumber(node.value);
      return Number(node.value);
    case Kind.LIST:
      return node.values.map((entry) => jsonOf(entry, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => {
          requireHarmlessName(name.value);
          return [name.value, jsonOf(value, variables)];
        }),
      );
    case Kind.VARIABLE:
      return variables?.[node.name.value];
    case Kind.NULL:
      return null;
    case Kind.ENUM:
      return undefined;
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value;
  }
}

const UploadOfRequest = GraphQLUpload as GraphQLScalarType<Promise<FileUpload>>;

/** A file of a multipart request; resolvers read it with `readUpload`. */
export const Upload = new GraphQLScalarType({
  ...UploadOfRequest.toConfig(),
  name: 'Upload',
  description: 'A file, sent by a multipart request with the header `apollo-require-preflight`.',
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  parseValue: (value: unknown) => {
    const file = UploadOfRequest.parseValue(value).catch(() => {
      throw new BadInput('FILE_INCOMPLETE', 'The request did not bring the file it named.', {
        path: ['file'],
      });
    });
    // Prevents an unhandled rejection: it may fail before a resolver awaits it.
    file.catch(() => undefined);
    return file;
  },
});
