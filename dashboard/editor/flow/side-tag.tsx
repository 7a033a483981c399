import type { Step } from '../document';

/** The side of a step in a workflow that a 4.x client wrote: source or target. */
export const SideTag = ({ step: { side } }: { step: Step }) =>
  side === null ? null : (
    <span class="tag" title="Its side for 4.x clients">
      {side === 'FROM' ? 'Source' : 'Target'}
    </span>
  );
