export { usePalette } from './use-palette.tsx';
