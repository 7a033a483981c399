import { Long } from 'bson';
import { doubleOf, isInt32, isLong } from '../values';
import { toDouble } from '../numbers';
import type { Numeric } from '../numbers';

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/**
 * Sum as in MongoDB: integers exactly, in the widest type of the operands (int32 grows to int64,
 * then to double); with doubles, in double precision with a second double for the rounding error.
 */
export class Sum {
  private integers = 0n;
  private hasLong = false;
  private hasDouble = false;
  private plain = 0;
  private high = 0;
  private low = 0;

  add(value: Numeric): void {
    if (isLong(value)) {
      this.integers += value.toBigInt();
      this.hasLong = true;
    } else if (typeof value === 'number' && isInt32(value)) {
      this.integers += BigInt(value);
    } else {
      this.hasDouble = true;
      this.addDouble(toDouble(value));
    }
  }

  private addDouble(value: number): void {
    this.plain += value;
    const [first, lost] = twoSum(value, this.low);
    const [sum, rest] = twoSum(this.high, first);
    this.high = sum;
    this.low = lost + rest;
  }

  total(): Numeric {
    if (this.hasDouble || this.integers < int64.min || this.integers > int64.max)
      return doubleOf(this.asDouble());
    const fitsInt32 = !this.hasLong && isInt32(Number(this.integers));
    return fitsInt32 ? Number(this.integers) : Long.fromBigInt(this.integers);
  }

  /** The total as double, for averages. */
  asDouble(): number {
    if (!Number.isFinite(this.high)) return this.plain;
    const upper = Number(this.integers);
    const lower = Number(this.integers - BigInt(upper));
    const [sum, lost] = twoSum(this.high, upper);
    return sum + (lost + this.low + lower);
  }
}

/** The rounded sum and what rounding lost (Knuth). */
function twoSum(a: number, b: number): [number, number] {
  const sum = a + b;
  const shareOfA = sum - b;
  return [sum, a - shareOfA + (b - (sum - shareOfA))];
}
