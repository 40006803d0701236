export { PublicFrame } from './public-frame.tsx';
export { PublicParams } from './public-params.ts';
export { usePublicProjects } from './queries.ts';
