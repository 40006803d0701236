import type { MemberRole } from '@throughline/contract';

export interface DemoLogin {
  readonly role: MemberRole;
  readonly name: string;
  readonly email: string;
}

/** The demo's accounts. Everybody knows their passwords, so a production server never creates them. */
export const DEMO_LOGINS: readonly DemoLogin[] = [
  { role: 'owner', name: 'Olivia Owner', email: 'owner@demo.example' },
  { role: 'admin', name: 'Adam Admin', email: 'admin@demo.example' },
  { role: 'developer', name: 'Dana Developer', email: 'developer@demo.example' },
];

export const DEMO_PASSWORD = 'throughline-demo';
