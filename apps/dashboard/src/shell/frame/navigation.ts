import {
  type Icon,
  IconBraces,
  IconBug,
  IconChartHistogram,
  IconCreditCard,
  IconFolders,
  IconLayoutDashboard,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react';
import { type Action, mayDo, type Organization } from '@throughline/contract';

/** Sections, each named like the first segment of its paths. All other paths belong to the dashboard. */
const SECTIONS = ['projects', 'users', 'analytics', 'errors', 'billing', 'raw-traces', 'settings'] as const;
type Section = (typeof SECTIONS)[number] | 'dashboard';

/** Returns the section to highlight in the sidebar. */
export function findActiveSection(path: string): Section {
  const first = path.split('/')[1];
  return SECTIONS.find((section) => section === first) ?? 'dashboard';
}

interface Entry {
  readonly section: Section;
  readonly label: string;
  readonly to:
    | '/analytics'
    | '/billing'
    | '/dashboard'
    | '/errors'
    | '/projects'
    | '/raw-traces'
    | '/settings'
    | '/users';
  readonly icon: Icon;
}

const ENTRIES: readonly Entry[] = [
  { section: 'dashboard', label: 'Dashboard', to: '/dashboard', icon: IconLayoutDashboard },
  { section: 'projects', label: 'Projects', to: '/projects', icon: IconFolders },
  { section: 'errors', label: 'Errors', to: '/errors', icon: IconBug },
  { section: 'analytics', label: 'Analytics', to: '/analytics', icon: IconChartHistogram },
  { section: 'raw-traces', label: 'Raw Traces', to: '/raw-traces', icon: IconBraces },
  { section: 'settings', label: 'Settings', to: '/settings', icon: IconSettings },
  { section: 'users', label: 'Users', to: '/users', icon: IconUsers },
  { section: 'billing', label: 'Billing', to: '/billing', icon: IconCreditCard },
];

/** Returns the sidebar's entries in order. `organization` is null for a user without an organization. */
export function listEntries(organization: Organization | null): readonly Entry[] {
  const may = (action: Action) => mayDo(organization?.role ?? 'solo', action);
  const hidden = new Set<Section>();
  if (!may('members.manage')) hidden.add('users');
  if (!may('billing.manage')) hidden.add('billing');
  return ENTRIES.filter((entry) => !hidden.has(entry.section));
}
