import { located, unsupported } from '../../errors';
import { exactInteger } from '../../numbers';
import { isDocument } from '../../values';
import { isNullish, named, namedArguments } from '../arguments';
import type { CompileExpression, Expression, OperatorCompiler } from '../expression';

const pad = (number: number, width: number): string => String(number).padStart(width, '0');

const dayOfYear = (date: Date): number =>
  (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000 + 1;

const specifiers: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => pad(date.getUTCFullYear(), 4),
  m: (date) => pad(date.getUTCMonth() + 1, 2),
  d: (date) => pad(date.getUTCDate(), 2),
  H: (date) => pad(date.getUTCHours(), 2),
  M: (date) => pad(date.getUTCMinutes(), 2),
  S: (date) => pad(date.getUTCSeconds(), 2),
  L: (date) => pad(date.getUTCMilliseconds(), 3),
  j: (date) => pad(dayOfYear(date), 3),
  '%': () => '%',
};

/** UTC only: other zones need a time zone database that agrees with MongoDB's. */
function requireUtc(timezone: unknown, name: string): void {
  if (timezone === undefined || timezone === 'UTC' || timezone === 'GMT' || timezone === '+00:00') return;
  throw unsupported(`${name} in a time zone other than UTC is`);
}

function requireDate(value: unknown, name: string, code: number): Date {
  if (!(value instanceof Date)) throw located(code, `can't convert from BSON type ${named(value)} to Date in ${name}`);
  return value;
}

const dateToString: OperatorCompiler = (operand, compile, name) => {
  const parts = namedArguments(name, operand, { required: ['date'], optional: ['format', 'timezone', 'onNull'] }, 18629);
  requireUtc(parts.timezone, name);
  const format = parts.format ?? '%Y-%m-%dT%H:%M:%S.%LZ';
  if (typeof format !== 'string') throw unsupported(`a computed format of ${name} is`);
  const unknown = [...format.matchAll(/%(.?)/gs)].find(([, letter]) => !Object.hasOwn(specifiers, letter));
  if (unknown !== undefined) throw unsupported(`the format character '${unknown[0]}' of ${name} is`);
  const date = compile(parts.date);
  const onNull: Expression = Object.hasOwn(parts, 'onNull') ? compile(parts.onNull) : () => null;
  return (scope) => {
    const value = date(scope);
    if (isNullish(value)) return onNull(scope);
    const found = requireDate(value, name, 16006);
    requirePrintableYear(found);
    return format.replace(/%(.)/gs, (_text, letter: string) => specifiers[letter](found));
  };
};

function requirePrintableYear(date: Date): void {
  const year = date.getUTCFullYear();
  if (year < 0 || year > 9999) throw located(18537, `Could not convert date to string: date component was outside the supported range of 0-9999: ${year}`);
}

const fixedUnits: Readonly<Record<string, number>> = { millisecond: 1, second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const monthUnits: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** MongoDB counts bins from here. */
const reference = Date.UTC(2000, 0, 1);

const dateTrunc: OperatorCompiler = (operand, compile, name) => {
  const parts = namedArguments(name, operand, { required: ['date', 'unit'], optional: ['binSize', 'timezone'] }, 5439006);
  requireUtc(parts.timezone, name);
  const truncate = truncation(parts.unit, parts.binSize ?? 1, name);
  const date = compile(parts.date);
  return (scope) => {
    const value = date(scope);
    return isNullish(value) ? null : truncate(requireDate(value, name, 5439012));
  };
};

function truncation(unit: unknown, binSize: unknown, name: string): (date: Date) => Date {
  const bins = exactInteger(binSize);
  if (bins === undefined || bins <= 0) throw located(5439018, `${name} requires 'binSize' to be greater than 0`);
  if (typeof unit === 'string' && Object.hasOwn(fixedUnits, unit)) {
    const width = fixedUnits[unit] * bins;
    return (date) => new Date(reference + Math.floor((date.getTime() - reference) / width) * width);
  }
  if (typeof unit === 'string' && Object.hasOwn(monthUnits, unit)) {
    const width = monthUnits[unit] * bins;
    return (date) => {
      const months = (date.getUTCFullYear() - 2000) * 12 + date.getUTCMonth();
      return new Date(Date.UTC(2000, Math.floor(months / width) * width, 1));
    };
  }
  throw unsupported(`the unit of ${name} is`);
}

/** A part of a date: `{ $year: '$at' }` or `{ $year: { date: '$at', timezone: 'UTC' } }`. */
const part = (read: (date: Date) => number): OperatorCompiler => (operand, compile, name) => {
  const date = dateArgument(operand, compile, name);
  return (scope) => {
    const value = date(scope);
    return isNullish(value) ? null : read(requireDate(value, name, 16006));
  };
};

function dateArgument(operand: unknown, compile: CompileExpression, name: string): Expression {
  const isNamed = isDocument(operand) && Object.hasOwn(operand, 'date');
  if (!isNamed) return compile(Array.isArray(operand) && operand.length === 1 ? operand[0] : operand);
  const { date, timezone } = namedArguments(name, operand, { required: ['date'], optional: ['timezone'] }, 40535);
  requireUtc(timezone, name);
  return compile(date);
}

export const dateOperators: Readonly<Record<string, OperatorCompiler>> = {
  $dateToString: dateToString,
  $dateTrunc: dateTrunc,
  $year: part((date) => date.getUTCFullYear()),
  $month: part((date) => date.getUTCMonth() + 1),
  $dayOfMonth: part((date) => date.getUTCDate()),
  $dayOfWeek: part((date) => date.getUTCDay() + 1),
  $dayOfYear: part(dayOfYear),
  $hour: part((date) => date.getUTCHours()),
  $minute: part((date) => date.getUTCMinutes()),
  $second: part((date) => date.getUTCSeconds()),
  $millisecond: part((date) => date.getUTCMilliseconds()),
};
