import './shell/no-eval.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './shell/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadCodeFont } from './shell/theme/code-font.ts';
import { nameKnownLanguage } from './shell/theme/known-language.ts';
import { printInLight } from './shell/theme/print-in-light.ts';

nameKnownLanguage(navigator);
loadCodeFont(document.fonts);
printInLight();

const place = document.getElementById('root');
if (place === null) throw new Error('the page has no element for the dashboard');
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
