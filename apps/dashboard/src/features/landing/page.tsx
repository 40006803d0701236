import { Anchor, Group, Text, Title } from '@mantine/core';
import {
  IconActivity,
  IconBolt,
  IconChartBar,
  IconGauge,
  IconPlugConnected,
  IconShieldLock,
  IconUsersGroup,
} from '@tabler/icons-react';
import { PRODUCT, routes } from '@throughline/contract';
import { Suspense } from 'react';
import { lazyPart } from '../../shell/load-page.ts';
import { HOME } from '../../shell/session/return-path.ts';
import { useSession } from '../../shell/session/use-session.ts';
import { ThemeSwitch } from '../../shell/theme/theme-switch.tsx';
import { RowsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { Brand } from '../../ui/layout/brand.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import classes from './landing.module.css';
import { PlanPrices } from './plan-prices.tsx';
import { PublicProjects } from './public-projects.tsx';

const ExampleTrace = lazyPart(() => import('./example-trace.tsx'), 'ExampleTrace');

const HIGHLIGHTS = [
  { icon: IconBolt, title: 'Real-time Tracing' },
  { icon: IconActivity, title: 'Visual Debugging' },
  { icon: IconUsersGroup, title: 'Team Collaboration' },
] as const;

const FEATURES = [
  {
    icon: IconBolt,
    title: 'Real-time Tracing',
    text: 'Requests appear seconds after they finish, function by function, with arguments and return values.',
  },
  {
    icon: IconChartBar,
    title: 'Visual Analytics',
    text: 'Steps as a tree and as a graph: the order, what ran in parallel, and where the time went.',
  },
  {
    icon: IconUsersGroup,
    title: 'Team Collaboration',
    text: 'Organizations with owners, admins and developers. Every view has a link that you can send to a colleague.',
  },
  {
    icon: IconGauge,
    title: 'Performance Monitoring',
    text: 'Duration, memory and event loop delay of each request. Find slow requests with one click.',
  },
  {
    icon: IconPlugConnected,
    title: 'Easy Integration',
    text: 'Two commands in a Node.js service. No code changes: locals and return values are captured automatically.',
  },
  {
    icon: IconShieldLock,
    title: 'Secure & Private',
    text: 'Enterprise-grade security: secrets are removed before data leaves your process. Runs on your own machine, with two-factor logins and an audit log.',
  },
] as const;

export function LandingPage() {
  const isSignedIn = useSession().status === 'signed-in';
  const enter = isSignedIn ? (
    <ButtonLink to={HOME}>Open the dashboard</ButtonLink>
  ) : (
    <>
      <ButtonLink to="/login" variant="default">
        Login
      </ButtonLink>
      <ButtonLink to="/register">Get started</ButtonLink>
    </>
  );
  return (
    <div className={classes.page}>
      <title>{`${PRODUCT.name} · ${PRODUCT.subtitle}`}</title>
      <header className={classes.header}>
        <Brand />
        <Group gap="xs" wrap="nowrap">
          <ThemeSwitch />
          {enter}
        </Group>
      </header>
      <main className={classes.main}>
        <section className={classes.hero}>
          <Title order={1}>See what your backend really did</Title>
          <Text c="dimmed" maw={640}>
            {PRODUCT.name} records each request function by function, with the values, and shows which step
            went wrong and why.
          </Text>
          <ul className={classes.highlights}>
            {HIGHLIGHTS.map(({ icon: Icon, title }) => (
              <li key={title}>
                <Icon size={16} aria-hidden /> {title}
              </li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="example" className={classes.live}>
          <Title order={2} size="h3" id="example">
            A failed checkout, recorded in the demo shop
          </Title>
          <Text size="sm" c="dimmed">
            This is a real request of the demo shop. Walk through its steps: one of them has the wrong value.
          </Text>
          <div className={classes.exampleSpace}>
            <Suspense fallback={<RowsSkeleton what="the example" rows={8} />}>
              <ExampleTrace />
            </Suspense>
          </div>
        </section>
        <PublicProjects />
        <section aria-label="Features">
          <ul className={classes.features}>
            {FEATURES.map(({ icon: Icon, title, text }) => (
              <li key={title} className={classes.feature}>
                <Icon size={20} aria-hidden />
                <Title order={2} size="h3">
                  {title}
                </Title>
                <Text size="sm" c="dimmed">
                  {text}
                </Text>
              </li>
            ))}
          </ul>
        </section>
        <PlanPrices />
        <section className={classes.closing}>
          <Title order={2}>Trace your first request in five minutes</Title>
          <Text c="dimmed">Run two commands and watch your own code run.</Text>
          <Group gap="xs">{enter}</Group>
        </section>
      </main>
      <footer className={classes.footer}>
        <span>© 2025 {PRODUCT.name}</span>
        <Anchor href={routes.product.openApi.path} inherit>
          API reference (OpenAPI)
        </Anchor>
      </footer>
    </div>
  );
}
