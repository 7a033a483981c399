/** Every contender once per round, forwards and backwards in turn, so that a slow moment of the machine hits all alike. */
export async function inTurn<Name extends string, Measure>(
  contenders: Record<Name, () => Promise<Measure>>,
  { warmUp, rounds }: { readonly warmUp: number; readonly rounds: number },
): Promise<Record<Name, Measure[]>> {
  const names = Object.keys(contenders) as Name[];
  const measures = Object.fromEntries(names.map((name) => [name, [] as Measure[]])) as Record<
    Name,
    Measure[]
  >;
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const measure = await contenders[name]();
      if (round >= warmUp) measures[name].push(measure);
    }
  }
  return measures;
}

/** How long something takes by the clock, ms. */
export async function wallMs(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1];
export const round = (value: number): number => Math.round(value * 100) / 100;
