export { AlertsSection } from './alerts-section.tsx';
