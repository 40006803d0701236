export { UsageBanner } from './usage-banner.tsx';
