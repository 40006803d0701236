/** Prints pages in the light colour scheme, even if the screen is dark: paper is white, and browsers do not print dark backgrounds. */
export function printInLight(): void {
  const { dataset } = document.documentElement;
  let onScreen: string | undefined;
  window.addEventListener('beforeprint', () => {
    onScreen ??= dataset.mantineColorScheme;
    dataset.mantineColorScheme = 'light';
  });
  window.addEventListener('afterprint', () => {
    if (onScreen !== undefined) dataset.mantineColorScheme = onScreen;
    onScreen = undefined;
  });
}
