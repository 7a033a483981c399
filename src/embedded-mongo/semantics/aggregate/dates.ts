import { located, unsupported } from '../errors';
import { isNullish, named, namedArguments } from './operators';
import type { Expression, OperatorCompiler } from './operators';

const pad = (number: number, width: number): string => String(number).padStart(width, '0');

const specifiers: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => pad(date.getUTCFullYear(), 4),
  m: (date) => pad(date.getUTCMonth() + 1, 2),
  d: (date) => pad(date.getUTCDate(), 2),
  H: (date) => pad(date.getUTCHours(), 2),
  M: (date) => pad(date.getUTCMinutes(), 2),
  S: (date) => pad(date.getUTCSeconds(), 2),
  L: (date) => pad(date.getUTCMilliseconds(), 3),
  '%': () => '%',
};

/** Other zones would require the same time zone database as MongoDB's. */
function requireUtc(timezone: unknown, name: string): void {
  if (timezone === undefined || timezone === 'UTC' || timezone === 'GMT' || timezone === '+00:00')
    return;
  throw unsupported(`${name} in a time zone other than UTC is`);
}

function requireDate(value: unknown, name: string, code: number): Date {
  if (!(value instanceof Date))
    throw located(code, `can't convert from BSON type ${named(value)} to Date in ${name}`);
  return value;
}

const dateToString: OperatorCompiler = (operand, compile, name) => {
  const parts = namedArguments(
    name,
    operand,
    { required: ['date'], optional: ['format', 'timezone', 'onNull'] },
    18629,
  );
  requireUtc(parts.timezone, name);
  const format = parts.format ?? '%Y-%m-%dT%H:%M:%S.%LZ';
  if (typeof format !== 'string') throw unsupported(`a computed format of ${name} is`);
  const unknown = [...format.matchAll(/%(.?)/gs)].find(
    ([, letter]) => !Object.hasOwn(specifiers, letter),
  );
  if (unknown !== undefined)
    throw unsupported(`the format character '${unknown[0]}' of ${name} is`);
  const date = compile(parts.date);
  const onNull: Expression = Object.hasOwn(parts, 'onNull') ? compile(parts.onNull) : () => null;
  return (doc) => {
    const value = date(doc);
    if (isNullish(value)) return onNull(doc);
    const found = requireDate(value, name, 16006);
    requirePrintableYear(found);
    return format.replace(/%(.)/gs, (_text, letter: string) => specifiers[letter](found));
  };
};

function requirePrintableYear(date: Date): void {
  const year = date.getUTCFullYear();
  if (year < 0 || year > 9999)
    throw located(
      18537,
      `Could not convert date to string: date component was outside the supported range of 0-9999: ${year}`,
    );
}

const units: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

const dateTrunc: OperatorCompiler = (operand, compile, name) => {
  const parts = namedArguments(
    name,
    operand,
    { required: ['date', 'unit'], optional: ['binSize', 'timezone'] },
    5439006,
  );
  requireUtc(parts.timezone, name);
  if (parts.binSize !== undefined && parts.binSize !== 1)
    throw unsupported(`the binSize of ${name} is`);
  const width =
    typeof parts.unit === 'string' && Object.hasOwn(units, parts.unit)
      ? units[parts.unit]
      : undefined;
  if (width === undefined) throw unsupported(`the unit of ${name} is`);
  const date = compile(parts.date);
  return (doc) => {
    const value = date(doc);
    return isNullish(value)
      ? null
      : new Date(Math.floor(requireDate(value, name, 5439012).getTime() / width) * width);
  };
};

export const dateOperators: Readonly<Record<string, OperatorCompiler>> = {
  $dateToString: dateToString,
  $dateTrunc: dateTrunc,
};
