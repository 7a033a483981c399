/*
 * Loaded into the service before it starts (`--require`): a disk that is slow, and every now and then very slow.
 */
import { beforeCommits } from '../service/store-thread';

/** Every how many commits the disk takes how long, ms. */
const SLOW = [
  { every: 500, ms: 500 },
  { every: 10, ms: 25 },
] as const;

const never = new Int32Array(new SharedArrayBuffer(4));
let commits = 0;
beforeCommits(() => {
  commits += 1;
  const slow = SLOW.find(({ every }) => commits % every === 0);
  if (slow) Atomics.wait(never, 0, 0, slow.ms);
});
