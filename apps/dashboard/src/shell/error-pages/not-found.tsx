import { Text, Title } from '@mantine/core';
import { PRODUCT } from '@throughline/contract';
import { Brand } from '../../ui/layout/brand.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import classes from '../frame/centered.module.css';
import { HOME } from '../session/return-path.ts';
import { useSession } from '../session/use-session.ts';

/** The page for an unknown URL. */
export function NotFound() {
  const isSignedIn = useSession().status === 'signed-in';
  return (
    <main className={classes.screen}>
      <title>{`Page not found · ${PRODUCT.name}`}</title>
      <div className={classes.column}>
        <Brand />
        <div>
          <Title order={1} size="h2" mb={4}>
            Page not found
          </Title>
          <Text c="dimmed" mb="md">
            This page doesn't exist.
          </Text>
          <AnchorLink to={isSignedIn ? HOME : '/'}>Go home</AnchorLink>
        </div>
      </div>
    </main>
  );
}
