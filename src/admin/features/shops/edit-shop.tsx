import { Button, Group, Stack } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useState } from "react";
import { useStaffUser } from "#admin/lib/current-shop.ts";
import { showDone } from "#admin/lib/notices.ts";
import { codeOf, issuesOf, messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { nameAndPictureFields, shopDetails } from "#shared/schemas/shop-details.ts";
import { FormError } from "../../ui/form-error.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { type ManagedShop, valuesOf } from "./managed-shop.ts";
import { ShopColumns } from "./shop-columns.tsx";
import { ShopConflict } from "./shop-conflict.tsx";
import { ShopFields } from "./shop-fields.tsx";
import { ShopPreview } from "./shop-preview.tsx";
import { ShopSight } from "./shop-sight.tsx";

/** The shop's fields with a preview of its card. What is typed stays, whatever others save meanwhile. */
export function EditShop({ shop }: { shop: ManagedShop }) {
  const { role } = useStaffUser();
  const utils = trpc.useUtils();
  const [version, setVersion] = useState(shop.version);
  const form = useForm({
    initialValues: valuesOf(shop),
    validate: schemaResolver(shopDetails.extend(nameAndPictureFields(shop)), { sync: true }),
    validateInputOnBlur: true,
  });
  const update = trpc.shops.admin.update.useMutation({
    onSuccess: async () => {
      showDone(`${form.values.shopName} is saved`);
      setVersion((saved) => saved + 1);
      form.resetDirty();
      await Promise.all([utils.shops.invalidate(), utils.staff.myShops.invalidate()]);
    },
    onError: async (error) => {
      if (codeOf(error) === "CONFLICT") await utils.shops.admin.byId.invalidate({ shopId: shop._id });
      form.setErrors(Object.fromEntries(issuesOf(error).map(({ path, message }) => [path, message])));
    },
  });
  // A conflict at a field, such as a name that another shop has, is no lost version.
  const isLost = codeOf(update.error) === "CONFLICT" && issuesOf(update.error).length === 0;

  function takeTheirs() {
    form.setValues(valuesOf(shop));
    form.resetDirty(valuesOf(shop));
    keepMine();
  }

  function keepMine() {
    setVersion(shop.version);
    update.reset();
  }

  return (
    <ShopColumns aside={<ShopPreview values={form.values} shop={shop} />}>
      <form
        onSubmit={form.onSubmit((values) => update.mutate({ ...values, shopId: shop._id, version }))}
        noValidate
      >
        <Stack gap="md">
          {isLost ? (
            <ShopConflict
              message={messageOf(update.error)}
              mine={form.values}
              theirs={valuesOf(shop)}
              onTakeTheirs={takeTheirs}
              onKeepMine={keepMine}
            />
          ) : (
            <FormError error={update.error} />
          )}
          <ShopFields form={form} mayRate={role === "admin"} shop={shop} />
          <Group>
            <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
      {role === "admin" && <ShopSight shop={shop} />}
      <LeaveGuard active={form.isDirty()} />
    </ShopColumns>
  );
}
