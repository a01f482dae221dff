import { Button } from "@mantine/core";
import { createFileRoute } from "@tanstack/react-router";
import type { ErrorCode } from "#shared/error-codes.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { PrintForm } from "../../features/print/print-form.tsx";
import { pageHead } from "../../lib/page-head.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";

const DESCRIPTION = "Upload your files, choose how they are printed and see the price.";

export const Route = createFileRoute("/_user/printnow")({
  validateSearch: ({ id }: Record<string, unknown>): { id?: string } =>
    typeof id === "string" || typeof id === "number" ? { id: String(id) } : {},
  loaderDeps: ({ search }) => ({ id: search.id ?? "" }),
  loader: ({ context: { utils }, deps }) =>
    Promise.all([utils.shops.byId.prefetch(deps), utils.files.formats.prefetch(undefined, { retry: false })]),
  head: () => pageHead({ title: "Print now", description: DESCRIPTION }),
  component: PrintNowPage,
});

const UNKNOWN: readonly (ErrorCode | null)[] = ["NOT_FOUND", "INVALID_INPUT"];

function PrintNowPage() {
  const { id = "" } = Route.useSearch();
  const { user } = Route.useRouteContext();
  const shop = trpc.shops.byId.useQuery({ id });
  // If the shop has gone since, the query still holds its last data beside the error.
  if (UNKNOWN.includes(codeOf(shop.error))) return <UnknownShop />;
  if (shop.data) return <PrintForm key={`${user._id} ${id}`} shop={shop.data} user={user} />;
  if (shop.isPending) return <WaitOverlay active />;
  return (
    <Notice art="failed" title="The shop could not be opened" text={messageOf(shop.error)}>
      <Button loading={shop.isFetching} onClick={() => void shop.refetch()}>
        Try again
      </Button>
      <ShopsLink />
    </Notice>
  );
}

function UnknownShop() {
  return (
    <Notice
      art="missing"
      title="This shop was not found"
      text="It may have closed, or the link is incomplete. Please choose a shop."
    >
      <ShopsLink />
    </Notice>
  );
}

function ShopsLink() {
  return (
    <LinkButton to="/shops" variant="default">
      Find a print shop
    </LinkButton>
  );
}
