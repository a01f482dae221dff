import { Button } from "@mantine/core";
import type { ErrorCode } from "#shared/error-codes.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import { PrintForm } from "./print-form.tsx";

const UNKNOWN: readonly (ErrorCode | null)[] = ["NOT_FOUND", "INVALID_INPUT"];

/** The page of one shop. */
export function PrintPage({ shopId, user }: { shopId: string; user: CurrentUser }) {
  const shop = trpc.shops.byId.useQuery({ id: shopId });
  // If the shop has gone since, the query still holds its last data beside the error.
  if (UNKNOWN.includes(codeOf(shop.error))) return <UnknownShop />;
  if (shop.data) return <PrintForm key={`${user._id} ${shopId}`} shop={shop.data} user={user} />;
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
