import { Button, Group, Stack, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { Link, useNavigate } from "@tanstack/react-router";
import { createShopInput } from "#shared/schemas/shop-admin.ts";
import { issuesOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone } from "../../lib/notices.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { PageHeader } from "../../ui/screen.tsx";
import { EMPTY_SHOP, sentValues } from "./managed-shop.ts";
import { focusFirstError, ShopColumns, ShopFields, ShopPreview, showIssues } from "./shop-form.tsx";

const check = schemaResolver(createShopInput, { sync: true });

/** Creates a shop. Its price list comes next; students see it once it is shown. */
export function NewShopScreen() {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { ...EMPTY_SHOP, id: "" },
    validate: (values) => check(sentValues(values)),
    validateInputOnBlur: true,
  });
  const create = trpc.shops.admin.create.useMutation({
    onSuccess: async ({ id }) => {
      form.resetDirty();
      showDone(`${form.values.shopName} was created. Students see it once it has prices and is shown`);
      await Promise.all([utils.shops.admin.invalidate(), utils.staff.myShops.invalidate()]);
      await navigate({ to: "/shops/$shopId/prices", params: { shopId: id } });
    },
    onError: (error) => showIssues(form, issuesOf(error)),
  });

  function suggestId() {
    if (!form.values.id) form.setFieldValue("id", idFrom(form.values.shopName));
  }

  return (
    <>
      <PageHeader title="New shop" />
      <ShopColumns aside={<ShopPreview values={form.values} />}>
        <form
          onSubmit={form.onSubmit((values) => create.mutate(sentValues(values)), focusFirstError)}
          noValidate
        >
          <Stack gap="md">
            <FormError error={create.error} exceptFields />
            <ShopFields form={form} mayRate>
              <TextInput
                label="Page address"
                description="Letters, digits and hyphens. It cannot be changed later."
                required
                leftSection="/printnow?id="
                leftSectionWidth={108}
                maxLength={64}
                {...form.getInputProps("id")}
                onFocus={suggestId}
              />
            </ShopFields>
            <Group>
              <Button type="submit" loading={create.isPending}>
                Create shop
              </Button>
              <Button variant="default" renderRoot={(props) => <Link to="/shops" {...props} />}>
                Cancel
              </Button>
            </Group>
          </Stack>
        </form>
      </ShopColumns>
      <LeaveGuard active={form.isDirty()} />
    </>
  );
}

/** "Lamp Post Prints & Co." as lamp-post-prints-co. */
function idFrom(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mark}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 64);
}
