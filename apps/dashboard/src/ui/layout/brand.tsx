import { Group, Text } from '@mantine/core';
import { PRODUCT } from '@throughline/contract';

/** The product's mark, name and subtitle. */
export function Brand() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src="/favicon.svg" alt="" width={28} height={28} />
      <div>
        <Text fw={650} lh="18px">
          {PRODUCT.name}
        </Text>
        <Text size="xs" c="dimmed" lh="16px">
          {PRODUCT.subtitle}
        </Text>
      </div>
    </Group>
  );
}
