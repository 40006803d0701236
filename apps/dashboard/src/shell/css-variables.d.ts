import 'react';

declare module 'react' {
  interface CSSProperties {
    /** Lets a component pass a number or a colour token to its style sheet as a CSS variable. */
    [name: `--${string}`]: string | number | undefined;
  }
}
