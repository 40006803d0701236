import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { OrganizationSlug, routes } from '@throughline/contract';
import { api } from '../../../shell/api.ts';

/** A pause in typing after which a slug is asked for. Milliseconds. */
const PAUSE_MS = 300;

interface SlugStateProps {
  readonly slug: string;
  /** The one that the organization has now. */
  readonly own?: string | undefined;
}

/** Tells if a slug is still free, while the user types. */
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
