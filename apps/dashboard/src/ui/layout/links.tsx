import {
  ActionIcon,
  type ActionIconProps,
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type OfAnchor<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props | 'href'>;

/** A text link to a page of the product. */
export const AnchorLink = createLink((props: OfAnchor<AnchorProps>) => <Anchor {...props} />);

/** A link to a page of the product, shown as a button. */
export const ButtonLink = createLink((props: OfAnchor<ButtonProps>) => <Button component="a" {...props} />);

/** A link to a page of the product, shown as an icon button. */
export const ActionIconLink = createLink((props: OfAnchor<ActionIconProps>) => (
  <ActionIcon component="a" {...props} />
));
