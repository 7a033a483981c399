/**
 * This process may not use the store: it has another secret or key, an older version, or the owner
 * of the store does not share it. The message is for the operator; a restart does not help.
 */
export class ForeignProcess extends Error {
  override readonly name = 'ForeignProcess';
}
