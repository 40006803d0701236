import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { OrganizationSlug, routes } from '@throughline/contract';
import { api } from '../../../shell/api.ts';

/** The availability of a slug is checked after this time without typing. Milliseconds. */
const PAUSE_MS = 300;

interface SlugStateProps {
  readonly slug: string;
  /** The organization's current slug. */
  readonly own?: string | undefined;
}

/** Shows whether a slug is available while the user types. */
export function SlugState({ slug, own }: SlugStateProps) {
  const [asked] = useDebouncedValue(slug, PAUSE_MS);
  const answer = useQuery({
    queryKey: ['organization-slugs', asked],
    queryFn: ({ signal }) => api.call(routes.orgs.slug, { params: { slug: asked }, signal }),
    select: (found) => found.slug.available,
    enabled: asked !== own && OrganizationSlug.safeParse(asked).success,
    retry: false,
  });
  const available = asked === slug ? answer.data : undefined;
  return (
    <span role="status">
      {available === undefined
        ? 'Lowercase letters, numbers, and hyphens'
        : available
          ? `“${slug}” is free`
          : `“${slug}” is taken`}
    </span>
  );
}
