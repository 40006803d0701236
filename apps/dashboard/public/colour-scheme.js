// Runs before the first paint, so that a dark screen never flashes white. A separate file, since the page's content security policy allows
// no inline script. The storage key is the same as in shell/theme/theme.ts.
(() => {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('colour_scheme') ?? 'auto';
  } catch {
    // If the browser allows no storage, the colour scheme follows the system's setting.
  }
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const dark = chosen === 'dark' || (chosen !== 'light' && systemIsDark);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
