export { PublicParams } from './public-params.ts';
export { usePublicProjects } from './queries.ts';
export { VisitorFrame } from './visitor-frame.tsx';
