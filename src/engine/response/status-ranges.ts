/** Ranges of HTTP statuses, with both ends. */
export type StatusRanges = readonly (readonly [from: number, to: number])[];

const [FIRST_STATUS, LAST_STATUS] = [100, 599];

/** Parses a list such as `200-299, 404`; returns null if it is invalid. */
export function parseStatusRanges(text: string): StatusRanges | null {
  const ranges = text.split(',').map((part) => {
    const [, from = '', to = from] = /^\s*(\d{3})\s*(?:-\s*(\d{3})\s*)?$/.exec(part) ?? [];
    return [Number(from), Number(to)] as const;
  });
  const isValid = ranges.every(
    ([from, to]) => from >= FIRST_STATUS && from <= to && to <= LAST_STATUS,
  );
  return isValid ? ranges : null;
}

export const isInRanges = (ranges: StatusRanges, status: number): boolean =>
  ranges.some(([from, to]) => from <= status && status <= to);
