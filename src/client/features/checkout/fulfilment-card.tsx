import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/Radio.layer.css";
import "@mantine/core/styles/Stack.layer.css";
import { Radio, Stack } from "@mantine/core";
import type { Fulfilment } from "#shared/fulfilment.ts";
import { formatPaise, type Paise } from "#shared/money.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import { Card } from "../print/card.tsx";

interface FulfilmentCardProps {
  shop: Shop;
  value: Fulfilment;
  /** What having it brought costs; null while it is not known. */
  deliveryFeePaise: Paise | null;
  onChange: (fulfilment: Fulfilment) => void;
}

/** Whether the order is brought or fetched, where the shop offers both. */
export function FulfilmentCard({ shop, value, deliveryFeePaise, onChange }: FulfilmentCardProps) {
  const fee = deliveryFeePaise === null ? "" : `, delivery fee ${formatPaise(deliveryFeePaise)}`;
  return (
    <Card title="Delivery or pickup">
      <Radio.Group
        aria-label="Delivery or pickup"
        value={value}
        onChange={(chosen) => onChange(chosen === "pickup" ? "pickup" : "delivery")}
      >
        <Stack gap="sm">
          <Radio size="md" value="delivery" label="Delivery" description={`To your address${fee}`} />
          <Radio
            size="md"
            value="pickup"
            label="Pickup"
            description={`At ${shop.shopLocation}, no delivery fee`}
          />
        </Stack>
      </Radio.Group>
    </Card>
  );
}
