export { PinnedViews } from './pinned-views.tsx';
export { useOwnViews, useSharedViews } from './queries.ts';
export { buildViewSearch, PAGE_PATHS } from './view-address.ts';
export { ViewsButton } from './views-button.tsx';
