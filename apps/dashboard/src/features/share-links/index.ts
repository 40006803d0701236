export { EndTime } from './end-time.tsx';
export { SharedTracesSection } from './links-section.tsx';
export { ShareButton } from './share-button.tsx';
