/**
 * Dialogs that other tests cover. Each key is the file that renders the dialog. Each value says what the dialog is about or when it is
 * shown, and names the test.
 */
export const OTHER_DIALOGS: Readonly<Record<string, string>> = {
  'features/analytics/insights/finding-actions.tsx': 'of a finding: analytics.spec.ts',
  'features/errors/error-actions.tsx': 'of an error: errors.spec.ts',
  'features/errors/merge/merge-into.tsx': 'of an error: errors.spec.ts',
  'features/errors/merge/merge-selected.tsx': 'of selected errors: errors.spec.ts',
  'features/share-links/share-dialog.tsx': 'with links and without: share-links.spec.ts',
  'features/traces/distribution/duration-place.tsx': 'of an endpoint with 20 requests: context-chips.spec.ts',
  'features/traces/value-origin/follow-menu.tsx': 'of a call with values: flow-value-path.spec.ts',
  'features/users/upgrade-required.tsx': 'in an organization on its trial: plan-limits.spec.ts',
  'features/settings/leave-organization.tsx': 'of a member: people.spec.ts',
  'features/demo/remove-demo-workspace.tsx': 'in the demo: newcomer.spec.ts',
  'shell/theme/theme-menu.tsx': 'a menu of three words: accounts.spec.ts',
  'shell/frame/menu-drawer.tsx': 'in narrow windows alone: narrow.spec.ts',
};
