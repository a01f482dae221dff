import { Button } from "@mantine/core";
import { useConnection } from "../lib/connection.ts";
import { LinkButton } from "./link-button.tsx";
import { Notice } from "./notice.tsx";

/** Shown for an error that no page handles. Its cause may be in what this tab has loaded, so that is loaded again. */
export function CrashPage() {
  const { isOffline } = useConnection();
  return (
    <Notice
      art="failed"
      title="Unexpected Application Error!"
      text={`${isOffline ? "You have no internet" : "Something broke on our side"}. Nothing that you uploaded or ordered is lost.`}
    >
      <Button onClick={() => window.location.reload()}>Try again</Button>
    </Notice>
  );
}

/** Shown for an address without a page. */
export function NotFoundPage() {
  return (
    <Notice
      art="missing"
      title="This page does not exist"
      text="The link may be outdated, or the address mistyped."
    >
      <LinkButton to="/">Go to the home page</LinkButton>
      <LinkButton to="/shops" variant="default">
        Find a print shop
      </LinkButton>
    </Notice>
  );
}
