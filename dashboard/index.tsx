import { render } from 'preact';
import { App } from './app';
import { preserveFocus } from './focus';
import './styles/base.css';
import './styles/frame.css';
import './styles/tables.css';
import './styles/overview.css';
import './styles/run.css';
import './styles/pages.css';
import './styles/accounts.css';
import './styles/notifications.css';
import './styles/configuration.css';
import './styles/build.css';
import './styles/fields.css';
import './styles/forced-colors.css';

const root = document.getElementById('dashboard');
preserveFocus();
if (root !== null) render(<App />, root);
