import { render } from 'preact';
import { App } from './app';
import './styles/base.css';
import './styles/frame.css';
import './styles/tables.css';
import './styles/overview.css';
import './styles/run.css';
import './styles/pages.css';

const root = document.getElementById('dashboard');
if (root !== null) render(<App />, root);
