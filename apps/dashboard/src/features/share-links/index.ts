export { SharedTracesSection } from './links-section.tsx';
export { ShareButton } from './share-button.tsx';
