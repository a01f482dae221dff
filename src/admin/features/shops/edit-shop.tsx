import { Alert, Button, Group, Stack, Text, Title } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { modals } from "@mantine/modals";
import { Link, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { nameAndPictureFields, shopDetails } from "#shared/schemas/shop-details.ts";
import { pressOnce } from "#ui/double-press.ts";
import { codeOf, issuesOf, messageOf } from "#ui/errors.ts";
import { scrollIntoView } from "#ui/focus.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone } from "../../lib/notices.tsx";
import { useStaffUser } from "../../lib/session.ts";
import { FormError } from "../../ui/form-error.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import {
  FIELD_LABELS,
  hasNoPrices,
  type ManagedShop,
  type ShopValues,
  sentValues,
  valuesOf,
} from "./managed-shop.ts";
import { SaveConflict } from "./save-conflict.tsx";
import { focusFirstError, ShopColumns, ShopFields, ShopPreview, showIssues } from "./shop-form.tsx";
import { ShopSchedule } from "./shop-schedule.tsx";
import { useShopChanges } from "./shop-state.tsx";
import { ShopTax } from "./shop-tax.tsx";

/** The shop's fields with a preview of its card. Input stays when others save meanwhile. */
export function EditShop({ shop }: { shop: ManagedShop }) {
  const { role } = useStaffUser();
  const utils = trpc.useUtils();
  const [version, setVersion] = useState(shop.version);
  const check = schemaResolver(shopDetails.extend(nameAndPictureFields(shop)), { sync: true });
  const form = useForm({
    initialValues: valuesOf(shop),
    validate: (values) => check(sentValues(values)),
    validateInputOnBlur: true,
  });
  const sent = useRef(form.values);
  const update = trpc.shops.admin.update.useMutation({
    onSuccess: async (saved) => {
      showDone(`${sent.current.shopName} is saved`);
      setVersion(saved.version);
      // What was typed since is not saved.
      form.resetDirty(sent.current);
      await Promise.all([utils.shops.invalidate(), utils.staff.myShops.invalidate()]);
    },
    onError: async (error) => {
      if (codeOf(error) === "CONFLICT") await utils.shops.admin.byId.invalidate({ shopId: shop._id });
      showIssues(form, issuesOf(error));
    },
  });
  // A conflict in a field, such as a name that another shop has, is no version conflict.
  const isLost = codeOf(update.error) === "CONFLICT" && issuesOf(update.error).length === 0;

  const theirs = valuesOf(shop);

  function applyMine() {
    const changed = Object.entries(form.values).filter(([name]) => form.isDirty(name));
    goOn({ ...theirs, ...Object.fromEntries(changed) });
  }

  function goOn(values: ShopValues) {
    form.setValues(values);
    form.resetDirty(theirs);
    setVersion(shop.version);
    update.reset();
  }

  return (
    <ShopColumns aside={<ShopPreview values={form.values} shop={shop} />}>
      {hasNoPrices(shop) && <PricesMissing shopId={shop._id} />}
      {shop.email !== shop.orderEmail && <EmailUnconfirmed shop={shop} />}
      <form
        onSubmit={form.onSubmit((values) => {
          sent.current = values;
          update.mutate({ ...sentValues(values), shopId: shop._id, version });
        }, focusFirstError)}
        noValidate
      >
        <Stack gap="md">
          {isLost ? (
            <SaveConflict
              ref={scrollIntoView}
              title={messageOf(update.error)}
              labels={FIELD_LABELS}
              mine={form.values}
              theirs={theirs}
              onTakeTheirs={() => goOn(theirs)}
              onApplyMine={applyMine}
            />
          ) : (
            <FormError error={update.error} exceptFields />
          )}
          <ShopFields form={form} mayRate={role === "admin"} shop={shop} />
          <Group>
            <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
      <ShopSchedule shop={shop} />
      <ShopTax shop={shop} />
      {role === "admin" && <ShopVisibility shop={shop} />}
      <LeaveGuard active={form.isDirty()} />
    </ShopColumns>
  );
}

function PricesMissing({ shopId }: { shopId: string }) {
  return (
    <Alert color="gray" title="This shop has no prices yet" mb="md">
      Students can order here once it has a price list. A short one takes two minutes.
      <Group mt="sm">
        <Button
          size="sm"
          renderRoot={(props) => <Link to="/shops/$shopId/prices" params={{ shopId }} {...props} />}
        >
          Set the first prices
        </Button>
      </Group>
    </Alert>
  );
}

/** Orders are mailed to the shop's e-mail only once a link that was mailed to it is opened. */
function EmailUnconfirmed({ shop: { _id: shopId, email, orderEmail } }: { shop: ManagedShop }) {
  const utils = trpc.useUtils();
  const send = trpc.shops.admin.sendConfirmation.useMutation({
    onSuccess: async (sentTo) => {
      if (sentTo) showDone(`The link is sent to ${sentTo}`);
      // Meanwhile the link may have been opened, or another email entered.
      await utils.shops.admin.byId.invalidate({ shopId });
    },
  });
  return (
    <Alert color="gray" title="The email for orders is not confirmed yet" mb="md">
      {orderEmail ? `Orders are still mailed to ${orderEmail}` : "Orders are not mailed yet"}. To have them
      mailed to {email}, open the link that was mailed there.
      <FormError error={send.error} />
      <Group mt="sm">
        <Button
          size="sm"
          variant="default"
          loading={send.isPending}
          onClick={pressOnce(() => send.mutate({ shopId }))}
        >
          Send the link again
        </Button>
      </Group>
    </Alert>
  );
}

/** Shows, hides or deletes the shop; only a shop without orders can be deleted. */
function ShopVisibility({ shop }: { shop: ManagedShop }) {
  const { _id: shopId, shopName, hidden, hasOrders, gaps } = shop;
  const { hide, show, remove } = useShopChanges(shop);
  const change = hidden ? show : hide;
  const navigate = useNavigate();

  const askToDelete = () =>
    modals.openConfirmModal({
      title: `Delete ${shopName}?`,
      children: "The shop and its price list will be deleted permanently.",
      labels: { confirm: "Delete the shop", cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => remove.mutate({ shopId }, { onSuccess: () => navigate({ to: "/shops" }) }),
    });

  return (
    <Stack component="section" gap="xs" mt="xl">
      <Title order={2} size="h5">
        In the storefront
      </Title>
      <Text c="dimmed">{visibilityText(shop)}</Text>
      <Group gap="xs">
        <Button
          variant="default"
          loading={change.isPending}
          disabled={hidden && gaps.length > 0}
          onClick={pressOnce(() => change.mutate({ shopId, hidden: !hidden }))}
        >
          {hidden ? "Show to students" : "Hide from students"}
        </Button>
        <Button
          variant="default"
          c="var(--bad)"
          loading={remove.isPending}
          disabled={hasOrders}
          onClick={askToDelete}
        >
          Delete
        </Button>
      </Group>
      {hasOrders && <Text c="dimmed">This shop has orders, so it can be hidden but not deleted.</Text>}
    </Stack>
  );
}

function visibilityText({ hidden, gaps }: ManagedShop): string {
  if (!hidden) return "Students see this shop.";
  const condition = gaps.length > 0 ? " You can show it once each of its six lists has a price." : "";
  return `Students do not see this shop.${condition}`;
}
