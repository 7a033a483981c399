/** What runs are promised holds for runs in processes of their own, too: the same tests, whose services start the pool. */
import './runs.test';
import '../ws/run-events.test';
import '../ws/run-visibility.test';

process.env.TEST_RUN_ISOLATION = 'processes';
