import { expect, it } from 'vitest';
import { activeSection } from './navigation.ts';

it.each([
  ['/app', 'dashboard'],
  ['/dashboard', 'dashboard'],
  ['/', 'dashboard'],
  ['/nothing', 'dashboard'],
  ['/projects', 'projects'],
  ['/projects/17/edit', 'projects'],
  ['/raw-traces', 'raw-traces'],
  ['/settings', 'settings'],
  ['/users', 'users'],
  ['/billing', 'billing'],
  ['/analytics', 'analytics'],
])('%s lights %s', (path, section) => {
  expect(activeSection(path)).toBe(section);
});
