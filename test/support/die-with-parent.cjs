// Preloaded into the processes that tests start: one whose test run is gone, killed perhaps, ends itself.
const { isMainThread } = require('node:worker_threads');

const testRun = Number(process.env.TEST_RUN_PID);

function isGone() {
  try {
    process.kill(testRun, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

if (isMainThread && testRun > 0)
  setInterval(() => isGone() && process.kill(process.pid, 'SIGKILL'), 1_000).unref();
