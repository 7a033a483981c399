/* Moves the wall clock of a process by CLOCK_OFFSET_MS. */
const offset = Number(process.env.CLOCK_OFFSET_MS ?? 0);
if (offset !== 0) {
  const Real = Date;
  class Moved extends Real {
    constructor(...parts) {
      if (parts.length === 0) super(Real.now() + offset);
      else super(...parts);
    }
    static now() {
      return Real.now() + offset;
    }
  }
  // Schemas of mongoose name their types.
  Object.defineProperty(Moved, 'name', { value: 'Date' });
  globalThis.Date = Moved;
}
