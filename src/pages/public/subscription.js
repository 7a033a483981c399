/** Maximum number of displayed events; the oldest are dropped. */
const SHOWN = 1_000;
/** Minimum interval between updates of the list, ms. */
const BREATH = 100;

/**
 * A subscription for GraphiQL, which shows only the last value: each value is the complete list of
 * events, newest first. `start` receives the event handlers and returns a function that ends the
 * subscription. `running` is a set that contains a function to end the subscription while it is
 * active.
 */
export function allEvents(start, running) {
  return {
    subscribe({ next, error, complete }) {
      const newestFirst = [];
      let received = 0;
      let timer = null;
      let isLeft = false;
      const write = (state) => {
        clearTimeout(timer);
        timer = null;
        const left =
          received > newestFirst.length ? { olderLeftOut: received - newestFirst.length } : {};
        next({ state, received, ...left, newestFirst: [...newestFirst] });
      };
      const done = () => {
        running.delete(leave);
        complete();
      };
      const stop = start({
        next(event) {
          received += 1;
          newestFirst.unshift(event);
          newestFirst.length = Math.min(newestFirst.length, SHOWN);
          timer ??= setTimeout(write, received === 1 ? 0 : BREATH, 'listening');
        },
        error(reason) {
          if (received === 0) {
            running.delete(leave);
            error(reason);
            return;
          }
          write(reason.message ?? 'failed');
          done();
        },
        complete() {
          if (isLeft) return;
          write('completed');
          done();
        },
      });
      const end = () => {
        clearTimeout(timer);
        running.delete(leave);
        isLeft = true;
        stop();
      };
      const leave = () => {
        end();
        complete();
      };
      running.add(leave);
      return { unsubscribe: end };
    },
  };
}
