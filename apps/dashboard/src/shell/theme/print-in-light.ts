/** Prints pages in the light scheme, whichever is on the screen: paper is white, and browsers omit dark backgrounds. */
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
