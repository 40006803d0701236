import { type Icon, IconFolders, IconLayoutDashboard } from '@tabler/icons-react';

/** What the path names; a path that names none of the others is the dashboard's. */
const SECTIONS = ['projects', 'users', 'analytics', 'billing', 'raw-traces', 'settings'] as const;
type Section = (typeof SECTIONS)[number] | 'dashboard';

/** The section that is lit in the sidebar. */
export function activeSection(path: string): Section {
  return SECTIONS.find((section) => path.includes(section)) ?? 'dashboard';
}

interface Entry {
  readonly section: Section;
  readonly label: string;
  readonly to: '/dashboard' | '/projects';
  readonly icon: Icon;
}

/** The sidebar's entries, in order. */
export const ENTRIES: readonly Entry[] = [
  { section: 'dashboard', label: 'Dashboard', to: '/dashboard', icon: IconLayoutDashboard },
  { section: 'projects', label: 'Projects', to: '/projects', icon: IconFolders },
];
