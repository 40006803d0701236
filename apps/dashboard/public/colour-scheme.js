// Runs before the first paint, so that a dark screen never flashes white. A file of its own, since the page's
// content-security policy allows no inline script. The key is the one that shell/theme.ts hands to the provider.
(() => {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('colour_scheme') ?? 'auto';
  } catch {
    // No storage: follow the system.
  }
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const dark = chosen === 'dark' || (chosen !== 'light' && systemIsDark);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
