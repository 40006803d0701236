export { useAbout } from './queries.ts';
