import { Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type ItemProps = MenuItemProps & Omit<ComponentPropsWithRef<'a'>, keyof MenuItemProps | 'href'>;

/** An item of a menu that is a link to a page. */
export const ItemLink = createLink((props: ItemProps) => <Menu.Item component="a" {...props} />);
