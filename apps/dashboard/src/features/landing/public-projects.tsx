import { Text, Title } from '@mantine/core';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { usePublicProjects } from '../public/index.ts';
import classes from './landing.module.css';

const SHOWN = 8;

/** Links to public projects of this server. Renders nothing if there are none. */
export function PublicProjects() {
  const { data: projects = [] } = usePublicProjects();
  if (projects.length === 0) return null;
  return (
    <section aria-labelledby="public-projects" className={classes.live}>
      <Title order={2} size="h3" id="public-projects">
        Public projects
      </Title>
      <Text size="sm" c="dimmed">
        See the requests of these projects as they arrive. Every value is masked. No account needed.
      </Text>
      <ul className={classes.highlights}>
        {projects.slice(0, SHOWN).map(({ id, name }) => (
          <li key={id}>
            <AnchorLink to="/public/$id" params={{ id }} size="sm">
              {name}
            </AnchorLink>
          </li>
        ))}
        {projects.length > SHOWN && (
          <li>
            <AnchorLink to="/public" size="sm">
              All public projects
            </AnchorLink>
          </li>
        )}
      </ul>
    </section>
  );
}
